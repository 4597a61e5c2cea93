import { retention } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { formatMinute, formatNumber } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Note, Text } from '../../shared/ui/layout/layout.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { type KeptDays, keptKinds, mapKinds } from './kept-days.ts'
import css from './retention.module.css'
import { type Retention, retentionKey } from './retention-queries.ts'
import { useRetentionText } from './retention-text.ts'

interface NextChangeProps {
  asked: PageSpace['asked']
  current: KeptDays
  next: NonNullable<Retention['next']>
  maySet: boolean
}

/** A shortening that has not taken effect yet, and can be cancelled until then. */
export function NextChange({ asked, current, next, maySet }: NextChangeProps) {
  const t = useRetentionText()
  const keep = useAct({
    call: () => call(retention.setRetention, { ...asked, ...mapKinds((kind) => current[kind]) }),
    done: t.next.kept,
    touched: [retentionKey],
  })
  const changes = keptKinds
    .filter((kind) => next[kind] !== current[kind])
    .map((kind) =>
      t.next.change({
        name: t.kinds[kind].name,
        from: formatNumber(current[kind]),
        to: formatNumber(next[kind]),
      }),
    )
  const title = t.next.title(formatMinute(next.effectiveAt))
  return (
    <section className={css.next} aria-label={title}>
      <Icon name="clock" size={16} />
      <div className={css.nextWords}>
        <Text as="h2" size="13/20" weight={600}>
          {title}
        </Text>
        <p>{changes.join(t.next.join)}</p>
        <Note leading={18}>{t.next.deletes}</Note>
      </div>
      {maySet && (
        <Button busy={keep.isPending} onClick={() => keep.mutate()}>
          {t.next.keep}
        </Button>
      )}
    </section>
  )
}
