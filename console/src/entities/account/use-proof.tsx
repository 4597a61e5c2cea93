import { ApiError, accounts, errorText } from '@busbar/contract'
import { type ReactNode, useCallback, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { PasswordDialog } from './password-dialog.tsx'

interface Asking {
  answer(isProved: boolean): void
}

/**
 * Does what needs the caller's password (decision 10): where it was not proved lately, asks for it and goes on by
 * itself. `proved` gives undefined when the person did not want to; `dialog` has to be drawn.
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

const passwordMax = 256

function ProofDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const t = useText().access.proof
  const lang = useLang()

  function explain(failure: unknown): string {
    if (!(failure instanceof ApiError)) return t.failed
    if (failure.is('07010110')) {
      const { data } = failure
      const minutes =
        typeof data === 'object' && data !== null && 'minutes' in data ? data.minutes : undefined
      if (typeof minutes === 'number') return t.locked(minutes)
    }
    return (failure.http === 200 && errorText(failure.code, lang)) || t.failed
  }

  return (
    <PasswordDialog
      words={t}
      missing={t.missing}
      autoComplete="current-password"
      maxLength={passwordMax}
      onSubmit={async (password) => {
        await call(accounts.provePassword, { password })
        onAnswer(true)
      }}
      explain={explain}
      onClose={() => onAnswer(false)}
    />
  )
}
