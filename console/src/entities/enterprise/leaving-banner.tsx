import { enterprises } from '@busbar/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import css from './transfer-banner.module.css'

/** Reloaded with the person's enterprises, whose changes are pushed. */
const leavingQuery = queryOptions({
  queryKey: ['enterprises', 'leaving'],
  queryFn: ({ signal }) => call(enterprises.listLeavingEnterprises, {}, { signal, noNotice: true }),
})

/**
 * The person's enterprises that are to be deleted and can no longer be opened: here their deletion is
 * cancelled.
 */
export function LeavingBanner() {
  const t = useText().enterprises.manage.leaving
  const { data = [] } = useQuery(leavingQuery)
  if (data.length === 0) return null
  return (
    <section className={css.banner} aria-label={t.banner}>
      <ul>
        {data.map((space) => (
          <LeavingRow key={space.eid} space={space} />
        ))}
      </ul>
    </section>
  )
}

function LeavingRow({ space }: { space: enterprises.LeavingEnterprise }) {
  const t = useText().enterprises.manage.leaving
  const { eid, name, until } = space
  const { mutate, isPending } = useAct({
    call: () => call(enterprises.keepEnterprise, { eid }),
    done: t.kept(name),
    touched: [['enterprises']],
  })
  return (
    <Row as="li" pad="8 12" gap="6 12" wraps className={css.row}>
      <Icon name="warning" />
      <div className={css.words}>
        <Text as="p" weight={550} breaks>
          {t.waiting(name)}
        </Text>
        <Row as="p" gap="0 10" align="stretch" wraps tone="quiet" size="12/18">
          {t.until(formatMinute(until))}
        </Row>
      </div>
      <Row gap={8} align="stretch" last className={css.actions}>
        <Button size="small" kind="primary" busy={isPending} onClick={() => mutate()}>
          {t.keep}
          <span className="sr-only">{name}</span>
        </Button>
      </Row>
    </Row>
  )
}
