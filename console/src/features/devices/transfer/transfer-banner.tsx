import type { enterprises, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { handoversQuery } from '../../../entities/enterprise/handover-queries.ts'
import { HandoverRow } from '../../../entities/enterprise/handover-row.tsx'
import css from '../../../entities/enterprise/transfer-banner.module.css'
import { transfersQuery, useMessageSync } from '../../../entities/machine/transfer-queries.ts'
import { formatMinute, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
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
  const handovers = useHandovers(eid)
  useMessageSync(transfersQuery.queryKey)
  const shown = data.filter(({ mine, mayAnswer, toEid }) =>
    eid === undefined ? mine || toEid === null : mayAnswer && toEid === eid,
  )
  if (shown.length + handovers.length === 0) return null
  const ordered = shown.toSorted((a, b) => Number(a.mine) - Number(b.mine))
  return (
    <section className={css.banner} aria-label={t.label}>
      <ul>
        {handovers.map((handover) => (
          <HandoverRow key={`handover ${handover.id}`} handover={handover} />
        ))}
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

/** Requests to take the devices of an enterprise that is to be deleted: to the caller, or to the enterprise shown. */
function useHandovers(eid: number | undefined): readonly enterprises.ReceivedHandover[] {
  const { data = [] } = useQuery(handoversQuery)
  useMessageSync(handoversQuery.queryKey)
  return data.filter(({ toEid }) => toEid === (eid ?? null))
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
    <Row as="li" pad="8 12" gap="6 12" wraps className={css.row}>
      <Icon name="transfer" />
      <div className={css.words}>
        <Text as="p" weight={550} breaks>
          {isOutgoing ? t.outgoing(machineName, to) : incoming}
        </Text>
        <Row as="p" gap="0 10" align="stretch" wraps tone="quiet" size="12/18">
          <span className="mono">{machineCode}</span>
          <span>{isOutgoing ? t.outgoingHint(until) : incomingHint}</span>
        </Row>
      </div>
      <Row gap={8} align="stretch" last className={css.actions}>
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
      </Row>
    </Row>
  )
}
