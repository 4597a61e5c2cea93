import { ApiError, machines } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { spaceKey } from '../../../entities/enterprise/enterprise-queries.ts'
import { refreshTransfers } from '../../../entities/machine/transfer-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'

interface TransferAnswer {
  readonly transfer: machines.Transfer
  readonly action: machines.TransferAction
}

/** Accepts, refuses or withdraws an offer; one that is already over is reported as such. */
export function useTransferAnswer(onDone?: () => void) {
  const t = useText().machineEdit.transfer
  const lang = useLang()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ transfer, action }: TransferAnswer) =>
      call(machines.answerTransfer, { applyId: transfer.applyId, action }),
    onSuccess: (_, { transfer, action }) => {
      const { machineName, toEid } = transfer
      const accepted = toEid === null ? t.accepted(machineName) : t.acceptedOfSpace(machineName)
      const done = { accept: accepted, refuse: t.refused, withdraw: t.withdrawn }
      showToast(done[action])
      onDone?.()
    },
    onError: (error) => {
      const isRule = error instanceof ApiError && error.http === 200
      // Failures that the console reports for all calls are not reported twice.
      if (isRule) showToast(refusalWords(error, lang) ?? t.gone, 'failure')
    },
    onSettled: (_, __, { transfer: { toEid } }) =>
      Promise.all([
        refreshTransfers(client),
        ...(toEid === null ? [] : [client.invalidateQueries({ queryKey: spaceKey(toEid) })]),
      ]),
  })
}
