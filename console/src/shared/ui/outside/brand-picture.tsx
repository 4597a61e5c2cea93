import { formatNumber, joinUnit } from '../../i18n/format-number.ts'
import { useText } from '../../i18n/language.ts'
import { useBrand } from '../../session/brand.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import css from './brand-picture.module.css'
import { type PlayedMachine, usePlayedMachines } from './played-machines.ts'

const chart = { width: 560, height: 120 }
const spark = { width: 72, height: 22 }

/** The brand's own picture, or a drawn one: machines on their busbars with some of their values. */
export function BrandPicture() {
  const { loginImageUrl } = useBrand()
  const t = useText().login.picture
  if (loginImageUrl) return <img className={css.image} src={loginImageUrl} alt="" />
  return (
    <div className={css.picture}>
      <div className={css.words}>
        <p className={css.headline}>{t.headline}</p>
        <ul className={css.points}>
          <li>{t.points.live}</li>
          <li>{t.points.alarm}</li>
          <li>{t.points.keys}</li>
        </ul>
      </div>
      <div className={css.scene} aria-hidden="true">
        <Busbars />
        <Console />
      </div>
    </div>
  )
}

/** Two bars with what travels on them, from the machines at the left to the screen. */
function Busbars() {
  const drops = [96, 176, 256, 336]
  return (
    <svg
      className={css.bars}
      viewBox="0 0 900 520"
      preserveAspectRatio="xMinYMin slice"
      fill="none"
      role="presentation"
    >
      <path className={css.bar} d="M0 64H900M0 84H900" />
      {drops.map((x, place) => (
        <g key={x}>
          <path className={css.drop} d={`M${x} ${place % 2 ? 84 : 64}V520`} />
          <circle className={css.joint} cx={x} cy={place % 2 ? 84 : 64} r="4" />
          <path
            className={css.pulse}
            style={{ animationDelay: `${-place * 1.7}s` }}
            pathLength={100}
            d={`M${x} 520V${place % 2 ? 84 : 64}H900`}
          />
        </g>
      ))}
    </svg>
  )
}

function Console() {
  const { picture: t } = useText().login
  const machines = usePlayedMachines()
  const first = machines[0]
  return (
    <div className={css.console}>
      <div className={css.bezel}>
        <i />
        <i />
        <i />
        <span>{t.caption}</span>
      </div>
      <ul>
        {machines.map((machine, place) => (
          <Row key={machine.icon} machine={machine} name={t.names[place] ?? ''} />
        ))}
      </ul>
      {first && <Trend points={first.points} limit={first.limit} />}
    </div>
  )
}

function Row({ machine, name }: { machine: PlayedMachine; name: string }) {
  const t = useText().login.picture.state
  const last = machine.points.at(-1) ?? 0
  const alarm = last > machine.limit
  return (
    <li className={classes(css.row, alarm && css.alarm)}>
      <span className={css.glyph} />
      <span className={css.type}>
        <Icon path={machine.icon} />
      </span>
      <span className={css.names}>
        <b className="cut">{name}</b>
        <small>{alarm ? t.alarm : t.online}</small>
      </span>
      <Sparkline points={machine.points} />
      <Strip gap={machine.gap} alarm={alarm} />
      <span className={`${css.value} numbers`}>
        {joinUnit(formatNumber(last, machine.scale), machine.unit)}
      </span>
    </li>
  )
}

function Sparkline({ points }: { points: readonly number[] }) {
  const mean = points.reduce((sum, point) => sum + point, 0) / points.length
  // Noise must not look like drama: the range has a floor.
  const floor = Math.abs(mean) * 0.14
  const path = toPath(points.slice(-24), spark, floor)
  return (
    <svg className={css.spark} width={spark.width} height={spark.height} fill="none" role="presentation">
      <path d={path.line} />
      <circle cx={path.end[0]} cy={path.end[1]} r="2" />
    </svg>
  )
}

function Strip({ gap, alarm }: { gap: number; alarm: boolean }) {
  return (
    <span className={css.strip}>
      {Array.from({ length: 24 }, (_, hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
        <i key={hour} className={hour === gap ? css.gap : alarm && hour > 22 ? css.fault : undefined} />
      ))}
    </span>
  )
}

function Trend({ points, limit }: { points: readonly number[]; limit: number }) {
  const { line, end, y } = toPath(points, chart, 40, limit)
  return (
    <svg className={css.trend} viewBox={`0 0 ${chart.width} ${chart.height}`} fill="none" role="presentation">
      <defs>
        <linearGradient id="trend-fill" x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--accent)" stopOpacity=".2" />
          <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
        </linearGradient>
      </defs>
      {[0.15, 0.5, 0.85].map((part) => (
        <path key={part} className={css.grid} d={`M0 ${chart.height * part}H${chart.width}`} />
      ))}
      <path className={css.limit} d={`M0 ${y(limit)}H${chart.width}`} />
      <path fill="url(#trend-fill)" d={`${line}V${chart.height}H0Z`} />
      <path className={css.line} d={line} />
      <circle className={css.end} cx={end[0]} cy={end[1]} r="3.5" />
    </svg>
  )
}

function toPath(
  points: readonly number[],
  { width, height }: { width: number; height: number },
  floor: number,
  include = points[0] ?? 0,
) {
  const low = Math.min(...points, include)
  const high = Math.max(...points, include)
  const range = Math.max(high - low, floor)
  const bottom = (low + high - range) / 2
  const y = (value: number) => height - 4 - ((value - bottom) / range) * (height - 8)
  const x = (place: number) => (place / (points.length - 1)) * (width - 6) + 1
  const at = points.map((point, place) => [round(x(place)), round(y(point))] as const)
  return { line: `M${at.map((pair) => pair.join(' ')).join('L')}`, end: at.at(-1) ?? [0, 0], y }
}

const round = (value: number) => Math.round(value * 10) / 10
