import { type AnswerOf, machines } from '@busbar/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { type Text, useText } from '../../../shared/i18n/index.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './machine-check.module.css'
import { isDemoCode, parseCodeInput } from './machine-code.ts'

type CheckedMachine = AnswerOf<typeof machines.checkScannedCode>

function checkQuery(code: string) {
  return queryOptions({
    queryKey: ['machines', 'check', code],
    queryFn: ({ signal }) =>
      call(machines.checkScannedCode, { machineCode: code }, { signal, noNotice: true }),
    retry: false,
  })
}

/** The machine of a completely entered code; undefined until then, and if it cannot be queried. */
export function useMachineCheck(text: string): { checked: CheckedMachine | undefined; isChecking: boolean } {
  const { code, problem } = parseCodeInput(text)
  const { data, isFetching } = useQuery({ ...checkQuery(code), enabled: problem === null })
  return { checked: problem === null ? data : undefined, isChecking: problem === null && isFetching && !data }
}

/** Whether its password makes the caller Akey: only then the dialog asks for it. */
export function asksPassword(code: string, checked: CheckedMachine | undefined): boolean {
  return !isDemoCode(code) && (checked === undefined || !checked.exists || checked.canBind)
}

/** The purpose of the code: the personal list, an enterprise's list, or a maintenance window. */
export type CodePurpose = 'personal' | 'owned' | 'maintained'

interface MachineCheckProps {
  code: string
  purpose: CodePurpose
  checked: CheckedMachine | undefined
  isChecking: boolean
  /** Opens it, if it is in the list already. */
  onOpen: (() => void) | undefined
}

/** The machine that the code names, and the result of adding it. */
export function MachineCheck({ code, purpose, checked, isChecking, onOpen }: MachineCheckProps) {
  const { machineEdit, machines: words } = useText()
  const t = machineEdit.check
  if (isChecking) {
    return (
      <div className={css.check} aria-busy="true">
        <span className="sr-only">{t.checking}</span>
        <Skeleton width={150} />
        <Skeleton width={260} />
      </div>
    )
  }
  if (!checked) return null
  return (
    <section className={css.check} role="status" aria-label={t.label}>
      {checked.exists && (
        <Row as="p" gap={10} shrinks tone="soft">
          <StateGlyph state={checked.online ? 'online' : 'offline'} strong size={9} />
          {checked.model && <span className="mono">{checked.model}</span>}
        </Row>
      )}
      <p>{meaningOf(code, purpose, checked, t, onOpen !== undefined)}</p>
      {onOpen && (
        <button type="button" className={css.link} onClick={onOpen}>
          {words.addDialog.openExisting}
        </button>
      )}
    </section>
  )
}

function meaningOf(
  code: string,
  purpose: CodePurpose,
  checked: CheckedMachine,
  t: Text['machineEdit']['check'],
  isListed: boolean,
): string {
  if (!checked.exists) return t.unknown
  if (isListed) return t.listed
  if (purpose === 'maintained') return checked.owner === 'none' ? t.asksUnowned : t.asksOwned
  if (purpose === 'owned') {
    if (isDemoCode(code)) return t.ownsDemo
    return checked.canBind ? t.ownsUnowned : t.ownsOwned
  }
  if (isDemoCode(code)) return t.demo
  if (checked.canBind) return t.unowned
  return checked.owner === 'enterprise' ? t.ownedByEnterprise : t.owned
}
