import { ApiError, errorText, type Lang, machines } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { refreshTransfers, transfersQuery } from '../../../entities/machine/transfer-queries.ts'
import { findLostFriend } from '../../../entities/person/person-input.ts'
import {
  emptyReceiver,
  findReceiverProblem,
  formatReceiver,
  ReceiverField,
  type ReceiverInput,
  toReceiver,
} from '../../../entities/person/receiver-field.tsx'
import { call } from '../../../shared/api/client.ts'
import { formatMinute, type Text, useLang, useText } from '../../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useTransferAnswer } from './use-transfer-answer.ts'

/** A machine as it is handed over. */
export interface TransferSubject {
  readonly machineId: number
  readonly name: string
  /** The enterprise it is a device of. */
  readonly eid?: number
}

/** Offers a machine to a person or an enterprise; where an offer waits, that one and the way to take it back. */
export function TransferDialog({ subject, onClose }: { subject: TransferSubject; onClose: () => void }) {
  const transfers = useQuery(transfersQuery)
  const waiting = transfers.data?.find(({ mine, machineId }) => mine && machineId === subject.machineId)
  const [wasWaiting, setWaiting] = useState(false)
  // The offer that is shown was answered or ran out: there may be nothing left to offer.
  const isOver = wasWaiting && !waiting
  useEffect(() => {
    if (waiting) setWaiting(true)
    else if (isOver) onClose()
  }, [waiting, isOver, onClose])
  if (isOver) return null
  return waiting ? (
    <WaitingDialog subject={subject} transfer={waiting} onClose={onClose} />
  ) : (
    <OfferDialog subject={subject} onClose={onClose} />
  )
}

interface TransferProblems {
  readonly receiver?: string
  readonly general?: string
}

const receiverCodes = ['01010304', 'TRANSFER_SELF', 'ENTERPRISE_UNKNOWN'] as const

function judgeFailure(error: unknown, text: Text, lang: Lang): TransferProblems {
  const t = text.machineEdit.transfer
  if (!(error instanceof ApiError)) return { general: t.failed }
  // Its text of the contract speaks to the one who is on it.
  if (error.is('PERSON_BLACKLISTED')) return { receiver: t.blacklisted }
  const known = errorText(error.code, lang)
  if (receiverCodes.some((code) => error.is(code))) return { receiver: known ?? error.message }
  if (error.field === 'account') return { receiver: text.access.add.problems.accountForm }
  return { general: (error.http === 200 && known) || t.failed }
}

function OfferDialog({ subject, onClose }: { subject: TransferSubject; onClose: () => void }) {
  const text = useText()
  const t = text.machineEdit.transfer
  const lang = useLang()
  const client = useQueryClient()
  const { proved, dialog } = useProof()
  const { data: spaces = [] } = useQuery(enterprisesQuery)
  const others = spaces.filter(({ eid }) => eid !== subject.eid)
  const [receiver, setReceiver] = useState<ReceiverInput>(emptyReceiver)
  const [problems, setProblems] = useState<TransferProblems>({})

  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      proved(() =>
        call(machines.offerMachine, { machineID: subject.machineId, ...toReceiver(receiver, others) }),
      ),
    onSuccess: async (answer) => {
      if (!answer) return
      showToast(t.offered(formatReceiver(receiver, others)))
      onClose()
      await refreshTransfers(client)
    },
    onError: (error) => {
      const lost = receiver.kind === 'person' && findLostFriend(error, receiver.person, text)
      setProblems(lost ? { receiver: lost } : judgeFailure(error, text, lang))
      if (error instanceof ApiError && error.is('TRANSFER_WAITING')) void refreshTransfers(client)
    },
  })

  function submit() {
    const problem = findReceiverProblem(receiver, others, text)
    setProblems(problem ? { receiver: problem } : {})
    if (!problem) mutate()
  }

  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog
        title={t.title(subject.name)}
        submit={t.submit}
        busy={isPending}
        refusal={problems.general}
        onSubmit={submit}
        onClose={onClose}
      >
        <p className={form.body}>{subject.eid === undefined ? t.body : t.bodyOfSpace}</p>
        <ReceiverField
          value={receiver}
          spaces={others}
          error={problems.receiver}
          onChange={(next) => {
            setReceiver(next)
            setProblems({})
          }}
        />
      </FormDialog>
      {dialog}
    </>
  )
}

interface WaitingDialogProps {
  subject: TransferSubject
  transfer: machines.Transfer
  onClose: () => void
}

function WaitingDialog({ subject, transfer, onClose }: WaitingDialogProps) {
  const { app, machineEdit } = useText()
  const t = machineEdit.transfer
  const answer = useTransferAnswer(onClose)
  return (
    <Dialog
      title={t.title(subject.name)}
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
