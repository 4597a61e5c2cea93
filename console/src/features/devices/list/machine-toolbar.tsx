import type { ReactNode, Ref } from 'react'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { type DisplayState, displayStates } from '../../../shared/ui/data/display-state.ts'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box } from '../../../shared/ui/layout/layout.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../../shared/ui/menu/menu.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { type Toggle, ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { openedAct } from '../machine-acts.ts'
import { useDeviceSpace } from '../space.ts'
import css from './machine-toolbar.module.css'
import { UnplacedFilter } from './unplaced-filter.tsx'
import type { MachineListView } from './use-machine-list.ts'
import { ViewSwitch } from './view-switch.tsx'

type StateChoice = DisplayState | 'all'

/**
 * The choices of the state filter with their counts, once these are known; service only if some machine is in
 * service.
 */
export function useStateOptions(view: MachineListView): readonly Toggle<StateChoice>[] {
  const t = useText().machines
  const { states, total } = view.summary
  const counted = (count: number, label: ReactNode) =>
    view.status === 'ready'
      ? { label, count }
      : {
          label: (
            <>
              {label}
              <span className={css.noCount} />
            </>
          ),
        }
  return [
    { value: 'all', ...counted(total, t.list.all) },
    ...displayStates
      .filter((state) => state !== 'service' || states.service > 0)
      .map((state) => ({
        value: state,
        icon: <Glyph state={state} size={9} />,
        ...counted(states[state], <span className={css.word}>{t.states[state]}</span>),
      })),
  ]
}

/** Search and filters. */
export function MachineToolbar({
  view,
  searchRef,
  children,
}: {
  view: MachineListView
  searchRef: Ref<HTMLInputElement>
  /** At its end. */
  children: ReactNode
}) {
  const t = useText().machines
  const options = useStateOptions(view)
  const isOwn = useDeviceSpace().kind === 'personal'
  return (
    <search className={css.toolbar}>
      <SearchField
        ref={searchRef}
        label={t.list.search}
        value={view.query}
        onChange={view.setQuery}
        className={css.search}
        aria-keyshortcuts="/"
      />
      <ToggleGroup
        label={t.list.filter}
        options={options}
        value={view.state ?? 'all'}
        onChange={(choice) => view.setState(choice === 'all' ? null : choice)}
        className={css.states}
      />
      <Box as="span" grows className={css.space} />
      {(view.groups.length > 0 || (isOwn && view.all.length > 0)) && <GroupFilter view={view} />}
      <UnplacedFilter view={view} />
      <ViewSwitch />
      {children}
    </search>
  )
}

/** Stands for no group in the menu of groups, whose ids are numbers. */
const allGroups = 'all'

/** Narrows the list to one group of machines. */
export function GroupFilter({ view, className }: { view: MachineListView; className?: string | undefined }) {
  const { machines: t, machineEdit } = useText()
  const isOwn = useDeviceSpace().kind === 'personal'
  const chosen = view.groups.find((group) => group.id === view.groupId)
  return (
    <Menu
      label={t.list.group}
      placement="bottom end"
      trigger={
        <Button
          className={classes(className ?? css.group, !className && chosen && css.chosen)}
          data-chosen={chosen ? true : undefined}
          aria-label={`${t.list.group}: ${chosen?.name ?? t.list.allGroups}`}
        >
          <Icon name="group" />
          <span className="cut">{chosen?.name ?? t.list.allGroups}</span>
          <Icon name="chevronDown" size={14} />
        </Button>
      }
    >
      <MenuChoices
        label={t.list.group}
        value={String(view.groupId ?? allGroups)}
        onChange={(id) => view.setGroupId(id === allGroups ? null : Number(id))}
      >
        <MenuItem id={allGroups} hint={formatNumber(view.summary.total)}>
          {t.list.allGroups}
        </MenuItem>
        {view.groups.map((group) => (
          <MenuItem key={group.id} id={String(group.id)} hint={formatNumber(group.count)}>
            {group.name}
          </MenuItem>
        ))}
      </MenuChoices>
      {isOwn && <MenuLine />}
      {isOwn && (
        <MenuItem icon="edit" onAction={() => openedAct.set({ kind: 'manageGroups' })}>
          {machineEdit.groups.manage}
        </MenuItem>
      )}
    </Menu>
  )
}
