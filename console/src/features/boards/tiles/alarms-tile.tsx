import { machines as contract, type Tile } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { alarmListQuery } from '../../../entities/alarm/alarm-queries.ts'
import { Repeats } from '../../../entities/alarm/repeats.tsx'
import { LevelBadge } from '../../../entities/machine/level-badge.tsx'
import { useLang } from '../../../shared/i18n/index.ts'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'

type AlarmsOf = Extract<Tile, { type: 'alarms' }>

/** More are not shown in a tile; the alarm centre has them. */
const shownMax = 50

/** The active alarms of some devices or of the whole space. */
export function AlarmsTile({
  tile,
  eid,
  isShared,
  label,
}: {
  tile: AlarmsOf
  eid: number | null
  isShared: boolean
  label: string
}) {
  const t = useBoardsText().tile
  const data = useData()
  const lang = useLang()
  const levels = contract.alarmLevels.slice(0, contract.alarmLevels.indexOf(tile.level) + 1)
  const ids = tile.machines.flatMap((ref) => data.idOf(ref) ?? [])
  const asked = {
    ...(eid === null ? {} : { eid }),
    state: 'active' as const,
    ...(levels.length < contract.alarmLevels.length ? { level: [...levels] } : {}),
    ...(ids.length > 0 ? { machineIds: ids } : {}),
  }
  // All devices of the board's space: those of the reader's would be others.
  const isElsewhere = isShared && tile.machines.length === 0
  const isWaiting = tile.machines.length > 0 && ids.length === 0
  const query = useQuery({ ...alarmListQuery(asked, 1, lang, shownMax), enabled: !isWaiting && !isElsewhere })
  if (isElsewhere) return <MissingNote why="elsewhere" />
  if (isWaiting) return <MissingNote why="choose" />
  if (!query.data) return <MissingNote why={query.isError ? 'failed' : 'wait'} />
  const rows = query.data.list
  if (rows.length === 0) return <p className={css.missing}>{t.alarmsNone}</p>
  return (
    <section
      className={css.scroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
    >
      <ul className={css.alarms}>
        {rows.map((alarm) => (
          <li key={alarm.alarmId}>
            <Link
              to="/alarmCenter"
              search={{ ...(eid === null ? { eid: 0 } : { eid }), alarm: alarm.alarmId }}
              className={css.alarm}
            >
              <LevelBadge level={alarm.level} />
              <span className={css.alarmText}>
                <span className="cut" title={alarm.text}>
                  {alarm.text}
                </span>
                <span className="cut" title={alarm.machineName}>
                  {alarm.machineName}
                </span>
              </span>
              <Repeats of={alarm} />
              <RelativeTime at={alarm.raisedAt} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
