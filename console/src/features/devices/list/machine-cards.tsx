import { machines } from '@busbar/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApplyLink, WaitingMark } from '../../../entities/application/apply-link.tsx'
import { EnterLink } from '../../../entities/machine/enter-link.tsx'
import { enterAddresses } from '../../../entities/machine/enter-machine.ts'
import { KeySparkline, KeyValue, keyValueName, LastSeen } from '../../../entities/machine/key-value.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { type MachineTypes, useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { RoleTag } from '../../../entities/machine/role-tag.tsx'
import { type Text, useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { StateStrip } from '../../../shared/ui/data/state-strip.tsx'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Grid, Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { toggleKey } from '../../../shared/ui/table/selection.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { toggleMenu } from '../machine-acts.ts'
import { maySet, useDeviceSpace } from '../space.ts'
import { AlarmCount } from './alarm-count.tsx'
import { ListBanners } from './list-banners.tsx'
import type { MachineListProps } from './list-props.ts'
import { ListFailed, NoMachines, NoMatch, SkeletonCards } from './list-states.tsx'
import { ListTop } from './list-top.tsx'
import css from './machine-cards.module.css'
import { WindowLeft } from './window-left.tsx'

const cardHeight = 122
const cardGap = 8
const overscanCards = 4

/** The list on a phone. */
export function MachineCards(props: MachineListProps) {
  const { view, onOpen, onVisibleChange, selected, select } = props
  const text = useText()
  const t = text.machines
  const space = useDeviceSpace()
  const hasMenu = space.kind === 'personal' || maySet(space)
  const addressOf = useMemo(() => enterAddresses(), [])
  const types = useMachineTypes()
  const scroller = useRef<HTMLDivElement>(null)
  const [isSelecting, setSelecting] = useState(false)
  const toggle = useCallback(
    (machine: Machine) => select((before) => toggleKey<RowKey>(before, [], machine.id, undefined, false)),
    [select],
  )
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : view.rows.filter(({ id }) => selected.has(id))),
    [view.rows, selected],
  )
  const virtualizer = useVirtualizer({
    count: view.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    gap: cardGap,
    paddingStart: 10,
    paddingEnd: 10,
    overscan: overscanCards,
    getItemKey: (index) => view.rows[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const visible = items.map((item) => Number(item.key)).join()
  useEffect(() => onVisibleChange(visible ? visible.split(',').map(Number) : []), [visible, onVisibleChange])

  function empty(): ReactNode {
    if (view.status === 'loading') return <SkeletonCards height={cardHeight} />
    if (view.status === 'failed') return <ListFailed view={view} />
    return view.isFiltered ? <NoMatch view={view} /> : <NoMachines onAdd={props.onAdd} />
  }

  return (
    <Stack grows className={css.column}>
      <ListTop view={view} onAdd={props.onAdd}>
        {view.rows.length > 0 && (
          <IconButton
            icon={isSelecting ? 'close' : 'list'}
            bordered
            label={isSelecting ? t.list.endSelect : t.list.select}
            aria-pressed={isSelecting}
            onClick={() => {
              setSelecting(!isSelecting)
              select(new Set())
            }}
          />
        )}
      </ListTop>
      <ListBanners />
      <div ref={scroller} className={css.scroller} {...props.lookingProps}>
        {view.rows.length === 0 ? (
          empty()
        ) : (
          <ul className={css.list} aria-label={t.list.label} style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ key, index, start }) => {
              const machine = view.rows[index]
              return (
                machine && (
                  <MachineCard
                    key={key}
                    machine={machine}
                    types={types}
                    top={start}
                    onOpen={isSelecting ? toggle : onOpen}
                    selected={isSelecting ? selected.has(machine.id) : undefined}
                    hasMenu={hasMenu}
                    words={text.visits}
                    applyWords={text.applications}
                    menuLabel={text.machineEdit.menu.label}
                    addressOf={addressOf}
                  />
                )
              )
            })}
          </ul>
        )}
      </div>
      {isSelecting && (
        <BulkBar
          machines={chosen}
          select={select}
          onBulk={props.onBulk}
          onSelectAll={() => select(new Set(view.rows.map(({ id }) => id)))}
        />
      )}
    </Stack>
  )
}

interface MachineCardProps {
  machine: Machine
  types: MachineTypes
  /** Pixels from the top of the list. */
  top: number
  onOpen: (machine: Machine) => void
  /** Set while cards are selected instead of opened. */
  selected: boolean | undefined
  hasMenu: boolean
  words: Text['visits']
  applyWords: Text['applications']
  menuLabel: Text['machineEdit']['menu']['label']
  /** The address at which a machine is entered. */
  addressOf: (machineId: number) => string
}

const MachineCard = memo(function MachineCard(props: MachineCardProps) {
  const { machine, types, top, onOpen, selected, hasMenu, words, applyWords, menuLabel, addressOf } = props
  const state = displayState(machine)
  const place = machine.groups.map((group) => group.name).join(', ') || machine.remark || types.name(machine)
  return (
    <li
      className={css.item}
      data-subject=""
      style={{ transform: `translateY(${top}px)`, height: cardHeight }}
    >
      <button
        type="button"
        className={classes(css.card, state === 'alarm' && css.alarm, selected && css.selected)}
        {...(selected !== undefined && { role: 'checkbox', 'aria-checked': selected })}
        onClick={() => onOpen(machine)}
      >
        <Row as="span" gap={10} shrinks>
          {selected !== undefined && (
            <span className={classes(css.check, selected && css.checked)}>
              {selected && <Icon name="check" size={14} />}
            </span>
          )}
          <MachinePicture look={types.look(machine)} photo={machine.photo} size="card" />
          <Stack as="span" grows>
            <Row as="span" gap={8} shrinks className={css.first}>
              <span className={classes(css.name, 'cut', !machine.online && css.away)}>{machine.name}</span>
              {machine.openAlarms > 0 && <AlarmCount machine={machine} />}
            </Row>
            <Row as="span" gap={8} shrinks>
              <Row as="span" grows size={12} leading={20}>
                <StateGlyph state={state} strong size={9} />
                {machine.overview && machine.application && (
                  <WaitingMark application={machine.application} glyphOnly t={applyWords} />
                )}
                {place && <span className={classes(css.place, 'cut')}>{place}</span>}
              </Row>
              {machine.enterprise?.window ? (
                <WindowLeft machine={machine} isShort />
              ) : (
                <span className={classes(css.model, 'cut')}>{machine.model}</span>
              )}
            </Row>
          </Stack>
        </Row>
        <Grid as="span" line="top" gap={12} align="center" grows className={css.values}>
          {machine.overview ? (
            <>
              <Stack as="span" shrinks className={css.key}>
                <span className={classes(css.keyName, 'cut')}>{keyValueName(machine) || '—'}</span>
                <KeyValue machine={machine} className={css.keyValue} />
              </Stack>
              <KeySparkline machine={machine} width={96} height={30} />
              <Stack as="span" align="end" className={css.right}>
                <StateStrip hours={machine.overview.strip24h} />
                <LastSeen machine={machine} className={css.time} />
              </Stack>
            </>
          ) : (
            <>
              <Row as="span" gap={8}>
                <RoleTag level={machine.level} isBlacklisted={machine.role === 'blacklisted'} />
                {machine.application && <WaitingMark application={machine.application} t={applyWords} />}
              </Row>
              <Stack as="span" align="end" className={css.right}>
                <LastSeen machine={machine} className={css.time} />
              </Stack>
            </>
          )}
        </Grid>
      </button>
      {selected === undefined && (
        <span className={css.enter}>
          {machine.enterprise || machine.level > machines.limitAuthority.ordinary ? (
            <EnterLink machine={machine} look="glyph" t={words} addressOf={addressOf} />
          ) : (
            <ApplyLink machine={machine} look="glyph" t={applyWords} />
          )}
          {hasMenu && (
            <IconButton
              icon="more"
              aria-haspopup="menu"
              label={menuLabel(machine.name)}
              onClick={(event) => toggleMenu(machine, event.currentTarget)}
            />
          )}
        </span>
      )}
    </li>
  )
})
