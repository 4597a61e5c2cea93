import { machines } from '@busbar/contract'
import { KeysGlyph, keysAddresses } from '../../../entities/access/keys-link.tsx'
import { ApplyLink, WaitingMark } from '../../../entities/application/apply-link.tsx'
import { EnterLink } from '../../../entities/machine/enter-link.tsx'
import { enterAddresses } from '../../../entities/machine/enter-machine.ts'
import { KeySparkline, KeyValue, keyValueName, LastSeen } from '../../../entities/machine/key-value.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { MachineIconBox, type MachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { displayState, sayStates, statesOf } from '../../../entities/machine/machine-state.ts'
import { RoleTag } from '../../../entities/machine/role-tag.tsx'
import { formatDate, type Text as Texts } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { StateStrip } from '../../../shared/ui/data/state-strip.tsx'
import { fineShare } from '../../../shared/ui/data/strip.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { actionsColumn, type TableColumn } from '../../../shared/ui/table/column.ts'
import { toggleMenu } from '../machine-acts.ts'
import { type DeviceSpace, maySet } from '../space.ts'
import { AlarmCount } from './alarm-count.tsx'
import { CodeButton } from './code-button.tsx'
import css from './machine-columns.module.css'
import { WindowLeft } from './window-left.tsx'

const { limitAuthority } = machines

interface ColumnContext {
  readonly text: Texts
  readonly types: MachineTypes
  readonly onOpen: (machine: Machine) => void
  /** Goes to the machine's administration. */
  readonly onKeys: (machineId: number) => void
  /** The content of the place column: groups, else remarks; without either it is left out. */
  readonly place: 'group' | 'remark' | null
  /** Some device has an address: it is shown if there is space. */
  readonly hasAddresses: boolean
  /** One line a row: a key value needs the width of its name and itself. */
  readonly isCompact: boolean
  readonly space: DeviceSpace
  /** Pixels of the last hour. */
  readonly sparkWidth: number
  /** A pane beside the list shows the actions of its machine. */
  readonly hasPane: boolean
}

function Nothing() {
  return <Text tone="quiet">—</Text>
}

/** The columns of the device list; ranks decide which are hidden first when space is short. */
export function machineColumns(context: ColumnContext): TableColumn<Machine>[] {
  const { text, space, place } = context
  const t = text.machines
  const groupsOf = (machine: Machine) => machine.groups.map((group) => group.name).join(', ')
  const columns: (TableColumn<Machine> | false)[] = [
    nameColumn(context),
    {
      id: 'state',
      title: t.columns.state,
      width: 104,
      rank: 10,
      isHiddenFirst: true,
      value: (machine) => sayStates(machine, t.states),
      cell: (machine) => (
        <Row gap={6} shrinks>
          {statesOf(machine).map((state) => (
            <StateGlyph key={state} state={state} />
          ))}
        </Row>
      ),
    },
    {
      id: 'code',
      title: t.facts.code,
      width: 168,
      rank: 14,
      isHiddenFirst: true,
      value: (machine) => machine.code,
      csv: (machine) => ({ code: machine.code }),
      cell: (machine, { active }) => <CodeButton code={machine.code} tabIndex={active ? 0 : -1} />,
    },
    space.kind === 'maintained' && {
      id: 'window',
      kind: 'time',
      title: text.enterprises.devices.columns.window,
      width: 172,
      rank: 1,
      value: (machine) => machine.enterprise?.window?.stop,
      cell: (machine) => <WindowLeft machine={machine} />,
    },
    ...valueColumns(context),
    place !== null && {
      id: 'group',
      title: place === 'group' ? t.columns.group : t.facts.remark,
      width: 104,
      grow: 0.7,
      rank: 9,
      value: place === 'group' ? groupsOf : (machine) => machine.remark,
      cell: (machine) => <TwoTexts upper={groupsOf(machine)} lower={machine.remark} />,
    },
    place === 'group' && textColumn('remark', t.facts.remark, (machine) => machine.remark),
    {
      id: 'model',
      title: t.columns.model,
      width: 110,
      grow: 0.6,
      rank: 8,
      value: (machine) => machine.model,
      cell: (machine) => <TwoTexts upper={machine.model} lower={context.types.name(machine)} mono />,
    },
    textColumn('type', t.facts.type, (machine) => context.types.name(machine)),
    roleColumn(context),
    {
      ...textColumn('address', t.facts.address, (machine) => machine.address),
      isHiddenFirst: !context.hasAddresses,
      rank: 11,
    },
    ...enterpriseColumns(context),
    {
      id: 'lastSeen',
      kind: 'time',
      title: t.columns.lastSeen,
      width: 96,
      rank: 4,
      value: (machine) => machine.lastSeen,
      cell: (machine) => <LastSeen machine={machine} className={css.time} />,
    },
    rowActions(context),
  ]
  return columns.filter((column): column is TableColumn<Machine> => column !== false)
}

function nameColumn({ text, types }: ColumnContext): TableColumn<Machine> {
  return {
    id: 'name',
    kind: 'name',
    title: text.machines.columns.device,
    width: 200,
    grow: 1.5,
    rank: 0,
    pinned: 'start',
    hideable: false,
    value: (machine) => machine.name,
    cell: (machine, { active }) => (
      <Row gap={10} shrinks wide>
        <StateGlyph state={displayState(machine)} word="hidden" />
        <MachineIconBox look={types.look(machine)} />
        <span className={css.lines}>
          <span className={classes(css.name, css.cut, !machine.online && css.away)} title={machine.name}>
            {machine.name}
          </span>
          <CodeButton code={machine.code} tabIndex={active ? 0 : -1} />
        </span>
      </Row>
    ),
  }
}

/** The columns of live data: alarms, its key value, the last hour, the last day. */
function valueColumns({ text, isCompact, sparkWidth }: ColumnContext): TableColumn<Machine>[] {
  const t = text.machines.columns
  return [
    {
      id: 'alarms',
      title: t.alarms,
      width: 74,
      rank: 3,
      value: (machine) => machine.openAlarms,
      cell: (machine) => (machine.openAlarms > 0 ? <AlarmCount machine={machine} /> : <Nothing />),
    },
    {
      id: 'keyValue',
      title: t.keyValue,
      width: isCompact ? 190 : 114,
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
      title: t.lastHour,
      width: sparkWidth + 18,
      rank: 6,
      csv: false,
      cell: (machine) =>
        machine.overview ? <KeySparkline machine={machine} width={sparkWidth} /> : <Nothing />,
    },
    {
      id: 'strip',
      title: t.strip,
      width: 126,
      rank: 5,
      value: (machine) => machine.overview && fineShare([machine.overview.strip24h]),
      cell: (machine) => (machine.overview ? <StateStrip hours={machine.overview.strip24h} /> : <Nothing />),
    },
  ]
}

function roleColumn({ text, isCompact }: ColumnContext): TableColumn<Machine> {
  return {
    id: 'role',
    title: text.machines.columns.role,
    width: 80,
    rank: 7,
    value: (machine) => text.machines.roles[machine.level],
    cell: (machine) => (
      <span className={isCompact ? css.beside : css.role}>
        <RoleTag level={machine.level} />
        {machine.application && (
          <WaitingMark application={machine.application} glyphOnly={isCompact} t={text.applications} />
        )}
      </span>
    ),
  }
}

/** The enterprise's own record of a device. */
function enterpriseColumns({ text, space }: ColumnContext): TableColumn<Machine>[] {
  if (space.kind === 'personal') return []
  const { columns, attributes } = text.enterprises.devices
  return [
    {
      id: 'added',
      title: columns.added,
      width: 104,
      rank: 12,
      value: (machine) => machine.enterprise?.addedAt,
      cell: (machine) => <span className="numbers">{formatDate(machine.enterprise?.addedAt ?? 0)}</span>,
    },
    textColumn('ip', attributes.ip, (machine) => machine.enterprise?.ip ?? '', true),
    textColumn('iccid', attributes.iccid, (machine) => machine.enterprise?.iccid ?? '', true),
    textColumn('platform', attributes.platform, (machine) => machine.enterprise?.platform ?? ''),
  ]
}

/** A text column that is hidden by default. */
function textColumn(
  id: string,
  title: string,
  value: (machine: Machine) => string,
  mono = false,
): TableColumn<Machine> {
  return {
    id,
    title,
    width: 130,
    grow: 0.7,
    rank: 13,
    isHiddenFirst: true,
    value,
    cell: (machine) => <TwoTexts upper={value(machine)} lower="" mono={mono} />,
  }
}

function rowActions(context: ColumnContext): TableColumn<Machine> {
  const { text, onOpen, onKeys, space, hasPane } = context
  const hasMenu = space.kind === 'personal' || maySet(space)
  const t = text.machines
  const addressOf = enterAddresses()
  const keysOf = keysAddresses()
  const column = actionsColumn<Machine>(t.columns.actions, 146, (machine, { active }) => (
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
  ))
  // The purpose of a list, unless the pane says it.
  return hasPane ? { ...column, rank: 10 } : column
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
