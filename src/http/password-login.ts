import type { FastifyRequest } from 'fastify'
import { Strategy as LocalStrategy } from 'passport-local'
import type { TokenGrant } from '../access/sessions.js'
import type { SignIn } from '../access/sign-in.js'
import { GatewayError } from '../domain/errors.js'
import type { Done, Passport } from './strategies.js'
import { runStrategies, createPassport, settle } from './strategies.js'

const LOCAL = 'local'

interface LoginBody {
  readonly email: string
  readonly password: string
  readonly invitation_token?: string
}

interface LoginRequest {
  readonly body: LoginBody
  readonly ip: string
}

/** Signs in by `email` and `password` of the body. */
export class PasswordLogin {
  readonly #passport: Passport = createPassport()

  constructor(signIn: Pick<SignIn, 'login'>) {
    const verify = ({ body, ip }: LoginRequest, email: string, password: string, done: Done<TokenGrant>): void => {
      const invitation = body.invitation_token === undefined ? {} : { invitationToken: body.invitation_token }
      settle(signIn.login({ email, password, address: ip, ...invitation }), done)
    }
    const options = { usernameField: 'email', passwordField: 'password', passReqToCallback: true, session: false } as const
    this.#passport.use(LOCAL, new LocalStrategy(options, verify as never))
  }

  /** The body has been checked against its schema. `invalid_credential`, `rate_limited`. */
  async grant(req: FastifyRequest): Promise<TokenGrant> {
    const grant = await runStrategies<TokenGrant>(this.#passport, [LOCAL], { headers: {}, body: req.body, ip: req.ip })
    if (!grant) throw new GatewayError('missing_field', 'email and password are required')
    return grant
  }
}
