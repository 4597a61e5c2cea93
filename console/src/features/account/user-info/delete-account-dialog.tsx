import { accounts } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { AccountEntry } from '../../../entities/account/account-entry.ts'
import { explainStep, sendCode } from '../../../entities/account/code-calls.ts'
import { CodeStep } from '../../../entities/account/code-step.tsx'
import { FailureNote } from '../../../entities/account/failure-note.tsx'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { call } from '../../../shared/api/client.ts'
import { formatMinute, useText } from '../../../shared/i18n/index.ts'
import type { Person } from '../../../shared/session/account-queries.ts'
import { keepLeft } from '../../../shared/session/left-note.ts'
import { deleteOwnAccount, goOut } from '../../../shared/session/session-end.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import css from '../../../shared/ui/dialogs/delete-account-dialog.module.css'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'

interface DeleteAccountDialogProps {
  person: Person
  onClose: () => void
}

/** Deletes the own account: shows the consequences or the obstacles, then asks for the password and a code. */
export function DeleteAccountDialog({ person, onClose }: DeleteAccountDialogProps) {
  const { account, app, joining } = useText()
  const t = account.leaving
  const { proved, dialog } = useProof()
  const [retryAt, setRetryAt] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const deletion = useQuery({
    queryKey: ['account', 'deletion'],
    queryFn: () => call(accounts.getDeletion, {}),
    // Read each time, because the person may have removed the obstacle in another tab.
    staleTime: 0,
    gcTime: 0,
  })
  const hindrances = deletion.data?.hindrances ?? []
  const entry = entryOf(person, deletion.data?.codeTo)

  async function send(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const isProved = await proved(() => call(accounts.getPasswordProof, {}, { noNotice: true }))
      if (isProved) setRetryAt(Date.now() + (await sendCode(entry, 'deleteAccount')) * 1_000)
    } catch (error) {
      setFailure(explainStep(error, joining))
    } finally {
      setBusy(false)
    }
  }

  async function finish(code: string): Promise<string | undefined> {
    try {
      const until = await proved(() => deleteOwnAccount(code))
      if (until === undefined) return joining.failed
      keepLeft(formatMinute(until))
      await goOut('/login', false)
      return undefined
    } catch (error) {
      void deletion.refetch()
      return explainStep(error, joining)
    }
  }

  const isReady = deletion.data !== undefined && hindrances.length === 0
  return (
    <>
      <Dialog
        title={t.title}
        width={480}
        onClose={onClose}
        actions={
          retryAt === undefined && (
            <>
              <Button onClick={onClose}>{app.cancel}</Button>
              {isReady && (
                <Button kind="danger" busy={isBusy} onClick={() => void send()}>
                  {t.send}
                </Button>
              )}
            </>
          )
        }
      >
        {deletion.isError ? (
          <FailureNote text={t.loadFailed} />
        ) : deletion.data === undefined ? (
          <Skeleton width={280} />
        ) : hindrances.length > 0 ? (
          <Hindrances list={hindrances} />
        ) : retryAt === undefined ? (
          <>
            <ul className={css.list}>
              {t.what.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <FailureNote text={failure} />
          </>
        ) : (
          <CodeStep
            entry={entry}
            purpose="deleteAccount"
            retryAt={retryAt}
            submit={t.confirm}
            onCode={finish}
            onBack={() => setRetryAt(undefined)}
          />
        )}
      </Dialog>
      {dialog}
    </>
  )
}

function Hindrances({ list }: { list: readonly accounts.Hindrance[] }) {
  const t = useText().account.leaving
  return (
    <>
      <p>{t.hindered}</p>
      <ul className={css.list}>
        {list.map(({ reason, id, name }) => (
          <li key={`${reason} ${id}`}>
            <Row as="span" gap={16} align="baseline" justify="between" breaks className={css.hindrance}>
              {t.reasons[reason](name)}
              <WayOut reason={reason} id={id}>
                {t.ways[reason]}
                <span className="sr-only">{name}</span>
              </WayOut>
            </Row>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Links to the screen where the obstacle can be removed. */
function WayOut({
  reason,
  id,
  children,
}: {
  reason: accounts.LeavingReason
  id: number
  children: ReactNode
}) {
  if (reason === 'lastOwner')
    return (
      <Link to="/enterprise" search={{ eid: id, tab: 'members' }}>
        {children}
      </Link>
    )
  if (reason === 'held')
    return (
      <Link to="/administrateCenter" search={{ machineId: id }}>
        {children}
      </Link>
    )
  return <Link to="/msgCenter">{children}</Link>
}

function entryOf(person: Person, codeTo: 'email' | 'phone' | undefined): AccountEntry {
  return codeTo === 'phone'
    ? { kind: 'phone', countryCode: person.countryCode, name: person.phone }
    : { kind: 'email', countryCode: person.countryCode, name: person.email }
}
