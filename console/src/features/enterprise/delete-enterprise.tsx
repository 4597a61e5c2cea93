import { accounts, enterprises } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountEntry } from '../../entities/account/account-entry.ts'
import { explainStep, sendCode } from '../../entities/account/code-calls.ts'
import { CodeStep } from '../../entities/account/code-step.tsx'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { handoverQuery } from '../../entities/enterprise/handover-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type Enterprise, type Person, personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/delete-account-dialog.module.css'
import { SettingRow } from '../../shared/ui/fields/setting-row.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { HandoverChoice } from './handover-choice.tsx'

/** Deletes an enterprise, for its owners. */
export function DeleteEnterpriseRow({ space }: { space: Enterprise }) {
  const t = useText().enterprises.manage.leaving
  const { data: person } = useQuery(personQuery)
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingRow name={t.name} hint={t.hint}>
      <Button disabled={!person} onClick={() => setOpen(true)}>
        {t.open}
        <span className="sr-only">{t.name}</span>
      </Button>
      {isOpen && person && (
        <DeleteEnterpriseDialog space={space} person={person} onClose={() => setOpen(false)} />
      )}
    </SettingRow>
  )
}

/** The code that was sent, and the receiver of the devices. */
interface CodeSent {
  readonly entry: AccountEntry
  readonly retryAt: number
  readonly machinesTo: { machinesToUserId?: number; machinesToEid?: number }
}

interface DeleteEnterpriseDialogProps {
  space: Enterprise
  person: Person
  onClose: () => void
}

/** Explains the consequences and asks who gets the devices, then for a code sent to the owner. */
function DeleteEnterpriseDialog({ space, person, onClose }: DeleteEnterpriseDialogProps) {
  const { app, joining, enterprises: words } = useText()
  const t = words.manage.leaving
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [step, setStep] = useState<CodeSent>()
  const [failure, setFailure] = useState<string>()
  const { data: handover } = useQuery(handoverQuery(space.eid))
  const [chosen, setChosen] = useState<boolean>()
  // A person with an open request continues with it.
  const isHandedOver = chosen ?? Boolean(handover)
  const [isBusy, setBusy] = useState(false)

  async function send(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const entry = entryOf(person, (await call(accounts.getDeletion, {})).codeTo)
      const retryIn = await sendCode(entry, 'deleteEnterprise')
      // As chosen: a request that ends in the meantime is refused, instead of being taken for no receiver.
      const machinesTo = isHandedOver && handover ? receiverOf(handover) : {}
      setStep({ entry, retryAt: Date.now() + retryIn * 1_000, machinesTo })
    } catch (error) {
      setFailure(explainStep(error, joining))
    } finally {
      setBusy(false)
    }
  }

  async function finish(code: string): Promise<string | undefined> {
    try {
      const wish = { eid: space.eid, code, ...step?.machinesTo }
      await call(enterprises.deleteEnterprise, wish, { noNotice: true })
    } catch (error) {
      return explainStep(error, joining)
    }
    showToast(t.done)
    await navigate({ to: '/index/' })
    await queries.invalidateQueries({ queryKey: ['enterprises'] })
    return undefined
  }

  return (
    <Dialog
      title={`${t.name} · ${space.name}`}
      width={480}
      onClose={onClose}
      actions={
        !step && (
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            <Button
              kind="danger"
              busy={isBusy}
              disabled={isHandedOver && handover?.state !== 'accepted'}
              onClick={() => void send()}
            >
              {t.send}
            </Button>
          </>
        )
      }
    >
      {step ? (
        <CodeStep
          entry={step.entry}
          purpose="deleteEnterprise"
          retryAt={step.retryAt}
          submit={t.confirm}
          onCode={finish}
          onBack={() => setStep(undefined)}
        />
      ) : (
        <>
          <ul className={css.list}>
            {t.what.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <HandoverChoice space={space} isHandedOver={isHandedOver} onChange={setChosen} />
          <FailureNote text={failure} />
        </>
      )}
    </Dialog>
  )
}

function receiverOf({ toUserId, toEid }: enterprises.Handover) {
  return toEid === null ? { machinesToUserId: toUserId ?? 0 } : { machinesToEid: toEid }
}

function entryOf(person: Person, codeTo: 'email' | 'phone'): AccountEntry {
  const { countryCode, phone, email } = person
  return codeTo === 'phone'
    ? { kind: 'phone', countryCode, name: phone }
    : { kind: 'email', countryCode, name: email }
}
