import type { machines } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import css from './level-badge.module.css'

/**
 * Each level has its own shape, so that it is recognized without colour: critical that of a machine in alarm, minor that of
 * a warning.
 */
const shapes: Readonly<Record<machines.AlarmLevel, React.ReactNode>> = {
  critical: <path d="M5 .2 9.8 5 5 9.8.2 5z" />,
  major: <path d="M.2 .7h9.6L5 9.3z" />,
  minor: <path d="M5 .7 9.8 9.3H.2z" />,
  info: <path d="M1.4 4.1h7.2v1.8H1.4z" />,
}

/** The shape of a level, as decoration beside its word. */
export function LevelGlyph({ level, isOver = false }: { level: machines.AlarmLevel; isOver?: boolean }) {
  return (
    <svg
      aria-hidden="true"
      className={classes(css.glyph, css[level], isOver && css.over)}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      fill="currentColor"
    >
      {shapes[level]}
    </svg>
  )
}

/** The level of an alarm as shape, colour and word; without the colour once it has ended. */
export function LevelBadge({ level, isOver = false }: { level: machines.AlarmLevel; isOver?: boolean }) {
  const t = useText().machines.alarms.levels
  return (
    <Row as="span" gap={6} inline oneLine data-level={level}>
      <LevelGlyph level={level} isOver={isOver} />
      {t[level]}
    </Row>
  )
}
