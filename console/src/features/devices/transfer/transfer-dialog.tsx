import { ApiError, machines } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { refreshTransfers, transfersQuery } from '../../../entities/machine/transfer-queries.ts'
import { explainPerson, personErrors } from '../../../entities/person/person-input.ts'
import {
  emptyReceiver,
  findReceiverProblem,
  formatReceiver,
  ReceiverField,
  toReceiver,
} from '../../../entities/person/receiver-field.tsx'
import { call } from '../../../shared/api/client.ts'
import { formatMinute, useText } from '../../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../../shared/session/account-queries.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { useTransferAnswer } from './use-transfer-answer.ts'

/** The machine to hand over. */
export interface TransferSubject {
  readonly machineId: number
  readonly name: string
  /** The enterprise it is a device of. */
  readonly eid?: number
}

/** Offers a machine to a person or an enterprise; if an offer is open, shows it with a button to withdraw it. */
export function TransferDialog({ subject, onClose }: { subject: TransferSubject; onClose: () => void }) {
  const transfers = useQuery(transfersQuery)
  const waiting = transfers.data?.find(({ mine, machineId }) => mine && machineId === subject.machineId)
  const [wasWaiting, setWaiting] = useState(false)
  // The offer was answered or expired, so there may be nothing left to offer.
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

function OfferDialog({ subject, onClose }: { subject: TransferSubject; onClose: () => void }) {
  const text = useText()
  const t = text.machineEdit.transfer
  const client = useQueryClient()
  const { proved, dialog } = useProof()
  const { data: spaces = [] } = useQuery(enterprisesQuery)
  const others = spaces.filter(({ eid }) => eid !== subject.eid)

  const form = useForm({
    route: machines.offerMachine,
    initial: { receiver: emptyReceiver },
    check: ({ receiver }) => ({ receiver: findReceiverProblem(receiver, others, text) }),
    send: ({ receiver }) =>
      proved(() =>
        call(machines.offerMachine, { machineID: subject.machineId, ...toReceiver(receiver, others) }),
      ),
    errorFields: {
      ...personErrors('receiver'),
      TRANSFER_SELF: 'receiver',
      ENTERPRISE_UNKNOWN: 'receiver',
      eid: 'receiver',
    },
    explain: (error, { receiver: { kind, person } }) =>
      kind === 'person' ? explainPerson(error, person, text) : undefined,
    failed: t.failed,
    // The caller may have cancelled the proof.
    done: (answer, { receiver }) => (answer ? t.offered(formatReceiver(receiver, others)) : undefined),
    onSent: (answer) => {
      if (!answer) return
      onClose()
      return refreshTransfers(client)
    },
    onRefused: (error) =>
      error instanceof ApiError && error.is('TRANSFER_WAITING') && void refreshTransfers(client),
  })

  return (
    <>
      {/* Beside it: a form within a form would be sent with it. */}
      <FormDialog title={t.title(subject.name)} submit={t.submit} form={form} onClose={onClose}>
        <Text as="p" pretty>
          {subject.eid === undefined ? t.body : t.bodyOfSpace}
        </Text>
        <ReceiverField spaces={others} {...form.field('receiver')} />
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
      <Text as="p" pretty>
        {t.waiting(transfer.to, formatMinute(transfer.expireAt))}
      </Text>
    </Dialog>
  )
}
