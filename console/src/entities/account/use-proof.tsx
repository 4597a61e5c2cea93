import { ApiError, accounts } from '@busbar/contract'
import { type ReactNode, useCallback, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { PasswordDialog } from './password-dialog.tsx'

interface Asking {
  answer(isProved: boolean): void
}

/**
 * Runs work that needs a recent proof of the caller's password, and asks for the password first if there is
 * none. `proved` resolves to undefined if the person cancels; `dialog` has to be rendered.
 */
export function useProof(): {
  proved: <T>(work: () => Promise<T>) => Promise<T | undefined>
  dialog: ReactNode
} {
  const [asking, setAsking] = useState<Asking>()
  const proved = useCallback(async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ApiError) || !error.is('PROOF_NEEDED')) throw error
      }
      const isProved = await new Promise<boolean>((answer) => setAsking({ answer }))
      setAsking(undefined)
      if (!isProved) return undefined
    }
  }, [])
  return { proved, dialog: asking && <ProofDialog onAnswer={asking.answer} /> }
}

function ProofDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const t = useText().access.proof
  return (
    <PasswordDialog
      words={t}
      route={accounts.provePassword}
      missing={t.missing}
      failed={t.failed}
      autoComplete="current-password"
      send={(password) => call(accounts.provePassword, { password })}
      explain={({ code, data }) => {
        const isLocked = code === '07010110' && typeof data === 'object' && data !== null
        const minutes = isLocked && 'minutes' in data ? data.minutes : undefined
        return typeof minutes === 'number' ? t.locked(minutes) : undefined
      }}
      onSent={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  )
}
