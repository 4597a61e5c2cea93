import { Failure } from '../../../kernel/http/failure.ts'
import type { SignInCodes } from '../index.ts'
import { type CodeDeps, sendCode, takeCode } from './codes-service.ts'

const purpose = 'login'

/** The codes of sign-ins after many wrong passwords, from the service that sends all codes. */
export function createSignInCodes(codeDeps: CodeDeps): SignInCodes {
  return {
    async send(account, { lang, brand, address, now }) {
      await sendCode(codeDeps, { account, purpose, lang, brand, address, now, forSignIn: true })
    },
    async check(account, code, { address, now }) {
      try {
        const attempt = { account, purpose, code, address, now, forSignIn: true } as const
        return await takeCode(codeDeps.db, attempt, async () => true)
      } catch (error) {
        // The reason would reveal that the password was right.
        if (error instanceof Failure) return false
        throw error
      }
    },
  }
}
