import { Link } from '@tanstack/react-router'
import { Redirect } from '../url/redirect.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { useSession, useSessionState } from './context.js'
import { returnPath } from './return-path.js'
import { SignInForm } from './sign-in-form.js'
import styles from './sign-in-form.module.css'

/** `/register`: creates an account, with the invitation of the address if it has one. */
export function RegisterPage(): React.JSX.Element {
  const session = useSession()
  const state = useSessionState()
  const { search } = useAddress()
  const token = one(search, 'token')
  if (state.status === 'signed-in') return <Redirect to={returnPath(one(search, 'to'))} />
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.product}>Alidade</p>
        <h1>Create an account</h1>
        <SignInForm
          submitLabel="Create account"
          hasName
          onSubmit={({ email, password, name }) =>
            session.register({
              email,
              password,
              ...(name === '' ? {} : { name }),
              ...(token === null ? {} : { invitationToken: token })
            })
          }
        />
        <p>
          <Link to="/login" search={search}>
            Sign in instead
          </Link>
        </p>
      </div>
    </main>
  )
}
