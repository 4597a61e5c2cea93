import { notifications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { formatNumber, type Text as Texts, useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Panel, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import { alarmWaysQuery, notificationsKey } from './notification-queries.ts'

type AlarmWays = notifications.AlarmWays
type Way = AlarmWays['ways'][number]

/** How far a way works, or what stands against it; empty: it works. */
function sayWay(t: Texts['notifications'], { way, hindrance }: Way, { terminals, stock }: AlarmWays): string {
  const { ways, reasonsOf } = t
  if (hindrance === 'noService') return reasonsOf[way === 'sms' ? 'sms' : 'email'].kept
  if (hindrance === 'noAddress') return reasonsOf[way === 'sms' ? 'sms' : 'email'].noAddress
  if (hindrance !== null) return ways.hindrances[hindrance]
  if (way === 'push') return ways.terminals(formatNumber(terminals))
  return way === 'sms' ? ways.segments(formatNumber(stock)) : ''
}

/** The ways by which alarms reach the reader now, and a test of them. */
export function WaysLine({ space: { asked } }: { space: PageSpace }) {
  const all = useText().notifications
  const t = all.ways
  const { data } = useQuery(alarmWaysQuery(asked))
  const { mutate, isPending } = useAct({
    async call() {
      const { ways } = await call(notifications.testAlarmWays, asked)
      const sent = ways.filter(({ hindrance }) => hindrance === null).map(({ way }) => t.names[way])
      showToast(t.tested(sent.join(t.between)), 'done')
    },
    done: () => undefined,
    touched: [notificationsKey],
  })
  if (!data) return <Skeleton height={46} />
  return (
    <Panel aria-label={t.label}>
      <Row pad="10 16" gap="8 16" wraps>
        <Text weight={600}>{t.label}</Text>
        {data.ways.map((way) => (
          <Row key={way.way} as="span" gap={6} data-way={way.way} data-works={way.hindrance === null}>
            <Icon name={way.hindrance === null ? 'check' : 'warning'} size={14} />
            <Text>{t.names[way.way]}</Text>
            <Text tone={way.hindrance === null ? 'soft' : 'quiet'}>{sayWay(all, way, data)}</Text>
          </Row>
        ))}
        <Button size="small" busy={isPending} onClick={() => mutate()}>
          {t.test}
        </Button>
      </Row>
    </Panel>
  )
}
