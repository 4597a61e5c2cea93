import { ApiError, errorText, type Lang, machines } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { formatMinute, type Text, useLang, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showNotice } from '../../ui/notice-store.ts'
import form from '../access/form.module.css'
import { useProof } from '../access/use-proof.tsx'
import { FormDialog } from '../enterprises/form-dialog.tsx'
import { PersonField } from '../friends/person-field.tsx'
import {
  emptyPerson,
  findLostFriend,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  toPerson,
} from '../friends/person-input.ts'
import type { Machine } from './machine-order.ts'
import { refreshTransfers, transfersQuery } from './transfer-queries.ts'
import { useTransferAnswer } from './use-transfer-answer.ts'

/** Offers a machine to somebody (decision 26); where an offer waits, that one and the way to take it back. */
export function TransferDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const transfers = useQuery(transfersQuery)
  const waiting = transfers.data?.find(({ mine, machineId }) => mine && machineId === machine.machine_id)
  return waiting ? (
    <WaitingDialog machine={machine} transfer={waiting} onClose={onClose} />
  ) : (
    <OfferDialog machine={machine} onClose={onClose} />
  )
}

interface TransferProblems {
  readonly account?: string
  readonly general?: string
}

const accountCodes = ['01010304', 'TRANSFER_SELF'] as const

function judgeFailure(error: unknown, text: Text, lang: Lang): TransferProblems {
  const t = text.machineEdit.transfer
  if (!(error instanceof ApiError)) return { general: t.failed }
  // Its text of the contract speaks to the one who is on it.
  if (error.is('PERSON_BLACKLISTED')) return { account: t.blacklisted }
  const known = errorText(error.code, lang)
  if (accountCodes.some((code) => error.is(code))) return { account: known ?? error.message }
  if (error.field === 'account') return { account: text.access.add.problems.accountForm }
  return { general: (error.http === 200 && known) || t.failed }
}

function OfferDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const text = useText()
  const t = text.machineEdit.transfer
  const lang = useLang()
  const client = useQueryClient()
  const { proved, dialog } = useProof()
  const [person, setPerson] = useState<PersonInput>(emptyPerson)
  const [problems, setProblems] = useState<TransferProblems>({})

  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      proved(() => call(machines.offerMachine, { machineID: machine.machine_id, ...toPerson(person) })),
    onSuccess: async (answer) => {
      if (!answer) return
      showNotice(t.offered(formatPerson(person)))
      onClose()
      await refreshTransfers(client)
    },
    onError: (error) => {
      const lost = findLostFriend(error, person, text)
      setProblems(lost ? { account: lost } : judgeFailure(error, text, lang))
      if (error instanceof ApiError && error.is('TRANSFER_WAITING')) void refreshTransfers(client)
    },
  })

  function submit() {
    const problem = findPersonProblem(person, text)
    setProblems(problem ? { account: problem } : {})
    if (!problem) mutate()
  }

  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog
        title={t.title(machine.machine_name)}
        submit={t.submit}
        busy={isPending}
        refusal={problems.general}
        onSubmit={submit}
        onClose={onClose}
      >
        <p className={form.body}>{t.body}</p>
        <div>
          <PersonField
            label={t.account}
            value={person}
            error={problems.account}
            onChange={(next) => {
              setPerson(next)
              setProblems({})
            }}
          />
          <p className={form.hint}>{t.until}</p>
        </div>
      </FormDialog>
      {dialog}
    </>
  )
}

interface WaitingDialogProps {
  machine: Machine
  transfer: machines.Transfer
  onClose: () => void
}

function WaitingDialog({ machine, transfer, onClose }: WaitingDialogProps) {
  const { app, machineEdit } = useText()
  const t = machineEdit.transfer
  const answer = useTransferAnswer(onClose)
  return (
    <Dialog
      title={t.title(machine.machine_name)}
      onClose={onClose}
      actions={
        <>
          <Button busy={answer.isPending} onClick={() => answer.mutate({ transfer, action: 'withdraw' })}>
            {t.withdraw}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {app.close}
          </Button>
        </>
      }
    >
      <p className={form.body}>{t.waiting(transfer.to, formatMinute(transfer.expireAt))}</p>
    </Dialog>
  )
}
