import { enterprises } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { handoversQuery } from './handover-queries.ts'
import css from './transfer-banner.module.css'

/** An enterprise whose devices are to be taken over when it is deleted, with the two answers. */
export function HandoverRow({ handover }: { handover: enterprises.ReceivedHandover }) {
  const { handover: t, machineEdit } = useText()
  const { id, enterprise, from, devices, expireAt } = handover
  const { mutate, isPending, variables } = useAct({
    call: (action: enterprises.HandoverAction) => call(enterprises.answerHandover, { id, action }),
    done: (action) => (action === 'accept' ? t.accepted(enterprise) : t.refused),
    touched: [handoversQuery.queryKey],
  })
  return (
    <Row as="li" pad="8 12" gap="6 12" wraps className={css.row}>
      <Icon name="transfer" />
      <div className={css.words}>
        <Text as="p" weight={550} breaks>
          {t.incoming(from, enterprise, devices)}
        </Text>
        <Row as="p" gap="0 10" align="stretch" wraps tone="quiet" size="12/18">
          {t.incomingHint(formatMinute(expireAt))}
        </Row>
      </div>
      <Row gap={8} align="stretch" last className={css.actions}>
        <Button
          size="small"
          disabled={isPending}
          busy={isPending && variables === 'refuse'}
          onClick={() => mutate('refuse')}
        >
          {machineEdit.transfer.refuse}
        </Button>
        <Button
          size="small"
          kind="primary"
          disabled={isPending}
          busy={isPending && variables === 'accept'}
          onClick={() => mutate('accept')}
        >
          {machineEdit.transfer.accept}
        </Button>
      </Row>
    </Row>
  )
}
