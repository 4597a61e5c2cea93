import { smsUnits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { enterpriseConfigQuery, userConfigQuery } from '../notification-queries.ts'
import css from '../notifications.module.css'

const { single, segment } = smsUnits

/** The segments left, those used today, and the cost of a text. */
export function SmsBalance({ space: { asked } }: { space: PageSpace }) {
  const t = useText().notifications.balance
  const { eid } = asked
  const own = useQuery({ ...userConfigQuery(asked), enabled: eid === undefined }).data
  const ofEnterprise = useQuery({ ...enterpriseConfigQuery(eid ?? 0), enabled: eid !== undefined }).data
  const shown = own
    ? { ...own, daily: own.userSmsDailyAmount }
    : ofEnterprise && { ...ofEnterprise, daily: ofEnterprise.smsDailyAmount }
  if (!shown) return <Skeleton height={84} />
  const isUsedUp = shown.stock === 0 && shown.hadStock
  return (
    <section className={css.balance} data-subject="" aria-label={t.title}>
      <Stack fixed>
        <Text size="12/18" tone="quiet">
          {t.title}
        </Text>
        <span className={css.number} data-empty={isUsedUp || undefined}>
          {formatNumber(shown.stock)}
          <span className={css.unit}>{t.unit}</span>
        </span>
      </Stack>
      <div className={css.explained}>
        <p className={css.used}>{t.used(formatNumber(shown.usedToday), formatNumber(shown.daily))}</p>
        {isUsedUp && (
          <Text as="p" tone="crit">
            {t.empty}
          </Text>
        )}
        {!shown.hadStock && <p>{t.never}</p>}
        <p>{t.price(formatNumber(single), formatNumber(segment))}</p>
        <p>{eid === undefined ? t.personal : t.enterprise}</p>
      </div>
    </section>
  )
}
