import type { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { formatMinute, useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import css from './transfer-banner.module.css'
import { transfersQuery, useTransferSync } from './transfer-queries.ts'
import { useTransferAnswer } from './use-transfer-answer.ts'

/** The list keeps its room; the others wait in the message centre. */
const shownMax = 2

/** Machines offered to the caller, to be answered here, and their own offers that wait. */
export function TransferBanner() {
  const t = useText().machineEdit.transfer
  const { data = [] } = useQuery(transfersQuery)
  useTransferSync()
  if (data.length === 0) return null
  const ordered = data.toSorted((a, b) => Number(a.mine) - Number(b.mine))
  return (
    <section className={css.banner} aria-label={t.label}>
      <ul>
        {ordered.slice(0, shownMax).map((transfer) => (
          <TransferRow key={transfer.applyId} transfer={transfer} />
        ))}
      </ul>
      {data.length > shownMax && <p className={css.further}>{t.further(data.length - shownMax)}</p>}
    </section>
  )
}

function TransferRow({ transfer }: { transfer: machines.Transfer }) {
  const t = useText().machineEdit.transfer
  const { mutate, isPending } = useTransferAnswer()
  const { mine, machineName, machineCode, from, to, expireAt } = transfer
  const until = formatMinute(expireAt)
  const answer = (action: machines.TransferAction) => () => mutate({ transfer, action })
  return (
    <li className={css.row}>
      <Icon name="transfer" />
      <div className={css.words}>
        <p className={css.title}>{mine ? t.outgoing(machineName, to) : t.incoming(from, machineName)}</p>
        <p className={css.hint}>
          <span className="mono">{machineCode}</span>
          <span>{mine ? t.outgoingHint(until) : t.incomingHint(until)}</span>
        </p>
      </div>
      <div className={css.actions}>
        {mine ? (
          <Button size="small" busy={isPending} onClick={answer('withdraw')}>
            {t.withdraw}
          </Button>
        ) : (
          <>
            <Button size="small" disabled={isPending} onClick={answer('refuse')}>
              {t.refuse}
            </Button>
            <Button size="small" kind="primary" busy={isPending} onClick={answer('accept')}>
              {t.accept}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}
