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

interface TransferBannerProps {
  /** The enterprise whose devices are shown. */
  eid?: number
}

/**
 * Machines offered to the caller, to be answered here, and their own offers that wait; on an enterprise's page those
 * offered to it, for its managers.
 */
export function TransferBanner({ eid }: TransferBannerProps) {
  const t = useText().machineEdit.transfer
  const { data = [] } = useQuery(transfersQuery)
  useTransferSync()
  const shown = data.filter(({ mine, mayAnswer, toEid }) =>
    eid === undefined ? mine || toEid === null : mayAnswer && toEid === eid,
  )
  if (shown.length === 0) return null
  const ordered = shown.toSorted((a, b) => Number(a.mine) - Number(b.mine))
  return (
    <section className={css.banner} aria-label={t.label}>
      <ul>
        {ordered.slice(0, shownMax).map((transfer) => (
          <TransferRow
            key={transfer.applyId}
            transfer={transfer}
            isOutgoing={transfer.mine && eid === undefined}
          />
        ))}
      </ul>
      {shown.length > shownMax && <p className={css.further}>{t.further(shown.length - shownMax)}</p>}
    </section>
  )
}

function TransferRow({ transfer, isOutgoing }: { transfer: machines.Transfer; isOutgoing: boolean }) {
  const t = useText().machineEdit.transfer
  const { mutate, isPending } = useTransferAnswer()
  const { machineName, machineCode, from, to, toEid, expireAt } = transfer
  const incoming = toEid === null ? t.incoming(from, machineName) : t.incomingOfSpace(from, machineName)
  const until = formatMinute(expireAt)
  const incomingHint = toEid === null ? t.incomingHint(until) : t.incomingHintOfSpace(until)
  const answer = (action: machines.TransferAction) => () => mutate({ transfer, action })
  return (
    <li className={css.row}>
      <Icon name="transfer" />
      <div className={css.words}>
        <p className={css.title}>{isOutgoing ? t.outgoing(machineName, to) : incoming}</p>
        <p className={css.hint}>
          <span className="mono">{machineCode}</span>
          <span>{isOutgoing ? t.outgoingHint(until) : incomingHint}</span>
        </p>
      </div>
      <div className={css.actions}>
        {isOutgoing ? (
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
