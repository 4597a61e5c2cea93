import { machines } from '@busbar/contract'
import { KeysGlyph, keysAddresses } from '../../../entities/access/keys-link.tsx'
import { ApplyLink, WaitingMark } from '../../../entities/application/apply-link.tsx'
import { EnterLink } from '../../../entities/machine/enter-link.tsx'
import { enterAddresses } from '../../../entities/machine/enter-machine.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { MachineIconBox, type MachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { RoleTag } from '../../../entities/machine/role-tag.tsx'
import { formatDate, type Text } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { StateStrip } from '../../../shared/ui/data/state-strip.tsx'
import type { GridColumn } from '../../../shared/ui/data/virtual-grid.tsx'
import { toggleMenu } from '../machine-acts.ts'
import { type DeviceSpace, maySet } from '../space.ts'
import { AlarmCount } from './alarm-count.tsx'
import { CodeButton } from './code-button.tsx'
import { KeySparkline, KeyValue, keyValueName, LastSeen } from './key-value.tsx'
import css from './machine-columns.module.css'
import { WindowLeft } from './window-left.tsx'

const { limitAuthority } = machines

interface ColumnContext {
  readonly text: Text
  readonly types: MachineTypes
  readonly onOpen: (machine: Machine) => void
  /** Goes to who may enter a machine. */
  readonly onKeys: (machineId: number) => void
  /** What the column of places is about: groups, else remarks; without either it is left out. */
  readonly place: 'group' | 'remark' | null
  /** One line a row: a key value needs the width of its name and itself. */
  readonly isCompact: boolean
  readonly space: DeviceSpace
  /** Pixels of the last hour. */
  readonly sparkWidth: number
  /** A pane stands beside the list, with the actions of its machine. */
  readonly hasPane: boolean
}

function Nothing() {
  return <span className={css.nothing}>—</span>
}

/** The columns of the device list; ranks say which leave first beside an open pane. */
export function machineColumns(context: ColumnContext): GridColumn<Machine>[] {
  const { text, types, onOpen, onKeys, place, isCompact, space, hasPane, sparkWidth } = context
  const isMaintained = space.kind === 'maintained'
  const hasMenu = space.kind === 'personal' || maySet(space)
  const t = text.machines
  const addressOf = enterAddresses()
  const keysOf = keysAddresses()
  const columns: (GridColumn<Machine> | false)[] = [
    {
      id: 'name',
      header: t.columns.device,
      sortable: true,
      widthMin: 212,
      grow: 1.5,
      rank: 0,
      cell: (machine, { active }) => (
        <div className={css.device}>
          <StateGlyph state={displayState(machine)} word="hidden" />
          <MachineIconBox look={types.look(machine)} />
          <span className={css.lines}>
            <span className={classes(css.name, css.cut, !machine.online && css.away)} title={machine.name}>
              {machine.name}
            </span>
            <CodeButton code={machine.code} tabIndex={active ? 0 : -1} />
          </span>
        </div>
      ),
    },
    isMaintained && {
      id: 'window',
      header: text.enterprises.devices.columns.window,
      sortable: true,
      widthMin: 172,
      rank: 1,
      cell: (machine) => <WindowLeft machine={machine} />,
    },
    {
      id: 'alarms',
      header: t.columns.alarms,
      sortable: true,
      widthMin: 74,
      rank: 3,
      cell: (machine) => (machine.openAlarms > 0 ? <AlarmCount machine={machine} /> : <Nothing />),
    },
    {
      id: 'keyValue',
      header: t.columns.keyValue,
      widthMin: isCompact ? 190 : 118,
      grow: 0.8,
      rank: 2,
      cell: (machine) =>
        machine.overview?.keyTag ? (
          <span className={css.lines}>
            <span className={classes(css.above, css.cut)} title={keyValueName(machine)}>
              {keyValueName(machine)}
            </span>
            <KeyValue machine={machine} className={css.value} />
          </span>
        ) : (
          <Nothing />
        ),
    },
    {
      id: 'lastHour',
      header: t.columns.lastHour,
      widthMin: sparkWidth + 22,
      rank: 6,
      cell: (machine) =>
        machine.overview ? <KeySparkline machine={machine} width={sparkWidth} /> : <Nothing />,
    },
    {
      id: 'strip',
      header: t.columns.strip,
      sortable: true,
      widthMin: 126,
      rank: 5,
      cell: (machine) => (machine.overview ? <StateStrip hours={machine.overview.strip24h} /> : <Nothing />),
    },
    place !== null && {
      id: 'group',
      header: place === 'group' ? t.columns.group : t.facts.remark,
      sortable: true,
      widthMin: 104,
      grow: 0.7,
      rank: 9,
      cell: (machine) => (
        <TwoTexts upper={machine.groups.map((group) => group.name).join(', ')} lower={machine.remark} />
      ),
    },
    {
      id: 'model',
      header: t.columns.model,
      sortable: true,
      widthMin: 112,
      grow: 0.6,
      rank: 8,
      cell: (machine) => <TwoTexts upper={machine.model} lower={types.name(machine)} mono />,
    },
    {
      id: 'role',
      header: t.columns.role,
      sortable: true,
      widthMin: 80,
      rank: 7,
      cell: (machine) => (
        <span className={isCompact ? css.beside : css.role}>
          <RoleTag level={machine.level} />
          {machine.application && (
            <WaitingMark application={machine.application} glyphOnly={isCompact} t={text.applications} />
          )}
        </span>
      ),
    },
    space.kind !== 'personal' && {
      id: 'address',
      header: text.machines.facts.address,
      sortable: true,
      widthMin: 130,
      grow: 1,
      rank: 11,
      cell: (machine) => <TwoTexts upper={machine.address} lower="" />,
    },
    space.kind !== 'personal' && {
      id: 'added',
      header: text.enterprises.devices.columns.added,
      sortable: true,
      widthMin: 104,
      rank: 12,
      cell: (machine) => <span className="numbers">{formatDate(machine.enterprise?.addedAt ?? 0)}</span>,
    },
    {
      id: 'lastSeen',
      header: t.columns.lastSeen,
      sortable: true,
      widthMin: 98,
      rank: 4,
      cell: (machine) => <LastSeen machine={machine} className={css.time} />,
    },
    {
      id: 'actions',
      header: t.columns.actions,
      headerHidden: true,
      widthMin: 146,
      // The purpose of a list, unless the pane says it.
      rank: hasPane ? 10 : 1,
      cell: (machine, { active }) => (
        <>
          <KeysGlyph
            machine={machine}
            tabIndex={active ? 0 : -1}
            t={text.access}
            addressOf={keysOf}
            onFollow={onKeys}
          />
          {machine.enterprise || machine.level > limitAuthority.ordinary ? (
            <EnterLink
              machine={machine}
              look="word"
              tabIndex={active ? 0 : -1}
              t={text.visits}
              addressOf={addressOf}
            />
          ) : (
            <ApplyLink machine={machine} look="word" tabIndex={active ? 0 : -1} t={text.applications} />
          )}
          {hasMenu && (
            <button
              type="button"
              aria-haspopup="menu"
              aria-label={text.machineEdit.menu.label(machine.name)}
              className={css.more}
              tabIndex={active ? 0 : -1}
              onClick={(event) => {
                event.stopPropagation()
                toggleMenu(machine, event.currentTarget)
              }}
            />
          )}
          <button
            type="button"
            aria-label={t.list.open(machine.name)}
            data-tip={t.list.openShort}
            className={css.action}
            tabIndex={active ? 0 : -1}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(machine)
            }}
          />
        </>
      ),
    },
  ]
  return columns.filter((column): column is GridColumn<Machine> => column !== false)
}

function TwoTexts({ upper, lower, mono = false }: { upper: string; lower: string; mono?: boolean }) {
  if (!upper && !lower) return <Nothing />
  return (
    <span className={css.lines}>
      {upper && (
        <span className={classes(css.upper, css.cut, mono && css.monoText)} title={upper}>
          {upper}
        </span>
      )}
      {lower && (
        <span className={classes(upper ? css.lower : css.upper, css.cut)} title={lower}>
          {lower}
        </span>
      )}
    </span>
  )
}
