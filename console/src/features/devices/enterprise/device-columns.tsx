import type { DeviceType } from '../../../entities/enterprise/enterprise-queries.ts'
import { enterAddress, mayEnter } from '../../../entities/machine/enter-machine.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { MachineIconBox, type MachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { formatDate, formatMinute, type Text, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import type { GridColumn } from '../../../shared/ui/data/virtual-grid.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import css from './device-page.module.css'
import { windowState } from './window-state.ts'

const nothing = <span className={css.nothing}>—</span>
const textOf = (text: string) =>
  text ? (
    <span className="cut" title={text}>
      {text}
    </span>
  ) : (
    nothing
  )

/** The columns of an enterprise's list; ranks say which leave first beside an open pane. */
export function deviceColumns(text: Text, type: DeviceType, types: MachineTypes): GridColumn<Machine>[] {
  const t = text.enterprises.devices
  const mono = (value: string) => (value ? <span className="mono cut">{value}</span> : nothing)
  const columns: (GridColumn<Machine> | false)[] = [
    {
      id: 'name',
      header: t.columns.device,
      sortable: true,
      widthMin: 216,
      grow: 2,
      rank: 0,
      cell: (machine) => (
        <div className={css.device}>
          <StateGlyph state={machine.online ? 'online' : 'offline'} word="hidden" />
          <MachineIconBox look={types.look(machine)} />
          <span className={css.lines}>
            <span className={classes(css.name, !machine.online && css.away)} title={machine.name}>
              {machine.name}
            </span>
            <span className={`${css.minor} mono`}>{machine.code}</span>
          </span>
        </div>
      ),
    },
    type === 2 && {
      id: 'window',
      header: t.columns.window,
      sortable: true,
      widthMin: 244,
      grow: 0.6,
      rank: 1,
      cell: (machine) => <MaintenanceSpan machine={machine} />,
    },
    {
      id: 'group',
      header: t.columns.group,
      sortable: true,
      widthMin: 110,
      grow: 0.8,
      rank: 3,
      cell: (machine) => (
        <span className={css.lines}>
          {textOf(machine.groups[0]?.name || machine.remark)}
          {machine.groups.length > 0 && machine.remark && <span className={css.minor}>{machine.remark}</span>}
        </span>
      ),
    },
    {
      id: 'model',
      header: t.columns.model,
      sortable: true,
      widthMin: 116,
      grow: 0.6,
      rank: 5,
      cell: (machine) => {
        const kind = types.name(machine)
        return (
          <span className={css.lines}>
            {textOf(machine.model || kind)}
            {machine.model && <span className={css.minor}>{kind}</span>}
          </span>
        )
      },
    },
    {
      id: 'address',
      header: t.columns.address,
      sortable: true,
      widthMin: 130,
      grow: 1,
      rank: 6,
      cell: (machine) => textOf(machine.address),
    },
    {
      id: 'ip',
      header: t.attributes.ip,
      widthMin: 146,
      rank: 8,
      cell: (machine) => mono(machine.enterprise?.ip ?? ''),
    },
    {
      id: 'iccid',
      header: t.attributes.iccid,
      widthMin: 172,
      rank: 10,
      cell: (machine) => mono(machine.enterprise?.iccid ?? ''),
    },
    {
      id: 'platform',
      header: t.attributes.platform,
      widthMin: 110,
      rank: 9,
      cell: (machine) => textOf(machine.enterprise?.platform ?? ''),
    },
    {
      id: 'added',
      header: t.columns.added,
      sortable: true,
      widthMin: 104,
      rank: 7,
      cell: (machine) => <span className="numbers">{formatDate(machine.enterprise?.addedAt ?? 0)}</span>,
    },
    {
      id: 'lastSeen',
      header: t.columns.lastSeen,
      sortable: true,
      widthMin: 104,
      rank: 4,
      cell: (machine) => (machine.lastSeen === null ? nothing : <RelativeTime at={machine.lastSeen} />),
    },
    {
      id: 'actions',
      header: t.columns.actions,
      headerHidden: true,
      widthMin: 74,
      rank: 2,
      cell: (machine, { active }) => <EnterDevice machine={machine} tabIndex={active ? 0 : -1} />,
    },
  ]
  return columns.filter((column) => column !== false)
}

/** From when until when an owner lets the enterprise in, and how that stands now. */
export function MaintenanceSpan({ machine }: { machine: Machine }) {
  const t = useText().enterprises.devices
  const now = useNow(15_000)
  const open = machine.enterprise?.window
  if (!open) return nothing
  const { start, stop } = open
  const state = windowState(open, now)
  const span = t.span(formatMinute(start), formatMinute(stop))
  return (
    <span className={css.lines}>
      <span className={classes(css.window, state === 'open' && css.windowOpen)}>{t.windowStates[state]}</span>
      <span className={`${css.minor} numbers`} title={span}>
        {span}
      </span>
    </span>
  )
}

/** Why a device cannot be entered now, in words; undefined where it can. */
export function useEnterBlock(): (machine: Machine) => string | undefined {
  const { enterprises, visits } = useText()
  const t = enterprises.devices
  return (machine) => {
    if (mayEnter(machine)) return machine.online ? undefined : visits.blocked.offline
    return machine.level === 0 && !machine.enterprise?.window ? t.noRight : t.closed
  }
}

/** Enters a device in a tab of its own, or says why that is not possible. */
export function EnterDevice({ machine, tabIndex }: { machine: Machine; tabIndex?: number }) {
  const t = useText().enterprises.devices
  const why = useEnterBlock()(machine)
  return (
    <a
      href={why ? undefined : enterAddress(machine.id)}
      role={why ? 'link' : undefined}
      aria-disabled={why ? true : undefined}
      target="_blank"
      rel="noopener"
      tabIndex={tabIndex}
      aria-label={t.enterOf(machine.name)}
      data-tip={why}
      className={classes(css.enter, why && css.blocked)}
      onClick={(event) => event.stopPropagation()}
    >
      {t.enter}
    </a>
  )
}
