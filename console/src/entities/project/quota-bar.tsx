import { formatNumber } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import type { Project } from './project.ts'
import { useProjectsText } from './projects-text.ts'
import css from './quota-bar.module.css'

/** Shares of the quota from which on a project’s members are told. */
const shares = { low: 0.2, out: 0.05 } as const

/** The rest of this month’s quota, as a bar and in words. */
export function QuotaBar({ rowsMax: of, rowsLeft: left }: QuotaBarProps) {
  const t = useProjectsText().quota
  if (of === 0) return <Text tone="quiet">{t.none}</Text>
  const share = left / of
  const tone = share <= shares.out ? css.out : share <= shares.low ? css.low : undefined
  return (
    <Stack gap={4} wide>
      <Text numbers cut>
        {t.left(formatNumber(left), formatNumber(of))}
      </Text>
      <span className={css.bar} aria-hidden="true">
        <span className={classes(css.rest, tone)} style={{ width: `${share * 100}%` }} />
      </span>
    </Stack>
  )
}

type QuotaBarProps = Pick<Project, 'rowsMax' | 'rowsLeft'>
