import { Link, useNavigate } from '@tanstack/react-router'
import { Redirect } from '../url/redirect.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { useSession, useSessionState } from './context.js'
import { returnPath } from './return-path.js'
import { SignInForm } from './sign-in-form.js'
import styles from './sign-in-form.module.css'

/** `/login` and `/invite?token=`: signs in, then goes to the address that was requested. */
export function SignInPage(): React.JSX.Element {
  const session = useSession()
  const state = useSessionState()
  const { search } = useAddress()
  const token = one(search, 'token')
  const navigate = useNavigate()
  if (state.status === 'signed-in' && token === null) return <Redirect to={returnPath(one(search, 'to'))} />
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.product}>Alidade</p>
        <h1>Sign in</h1>
        {token !== null && <p className={styles.hint}>You are invited to a namespace. Sign in to join it.</p>}
        <SignInForm
          submitLabel="Sign in"
          onSubmit={async ({ email, password }) => {
            await session.signIn({ email, password, ...(token === null ? {} : { invitationToken: token }) })
            await navigate({ href: returnPath(one(search, 'to')), replace: true })
          }}
        />
        <p>
          <Link to="/register" search={search}>
            Create an account
          </Link>
        </p>
        <p className={styles.hint}>
          At the first start the service prints the e-mail and the password of the first user, and stores them in{' '}
          <code>first-run.txt</code> in its data folder.
        </p>
      </div>
    </main>
  )
}
