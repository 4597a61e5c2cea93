import { demoMachineCode } from '@busbar/contract'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { mayAdd, useDeviceSpace } from '../space.ts'
import { ConnectButton } from './connect-button.tsx'
import css from './list-states.module.css'
import type { MachineListView } from './use-machine-list.ts'
import { useSpaceWords } from './use-space-words.ts'

/** A list without a single machine: what to do next. */
export function NoMachines({ onAdd }: { onAdd: (code?: string) => void }) {
  const space = useDeviceSpace()
  const { machines, enterprises } = useText()
  const words = useSpaceWords()
  if (space.kind === 'personal') {
    const t = machines.empty
    return (
      <EmptyState
        icon="devices"
        title={t.title}
        hint={
          <>
            {t.hint}
            <br />
            {t.demoHint}
          </>
        }
      >
        <Button kind="primary" icon="plus" onClick={() => onAdd()}>
          {words.add}
        </Button>
        <ConnectButton />
        <Button onClick={() => onAdd(demoMachineCode)}>{t.demo}</Button>
      </EmptyState>
    )
  }
  const t = enterprises.devices.empty
  const isOwned = space.kind === 'owned'
  return (
    <EmptyState
      icon={isOwned ? 'devices' : 'clock'}
      title={isOwned ? t.owned : t.maintained}
      hint={isOwned ? t.ownedHint : t.maintainedHint}
    >
      {mayAdd(space) && (
        <Button kind="primary" icon="plus" onClick={() => onAdd()}>
          {words.add}
        </Button>
      )}
      <ConnectButton />
    </EmptyState>
  )
}

/** Shown if the filters leave no rows: the query, and a way to clear it. */
export function NoMatch({ view }: { view: MachineListView }) {
  const t = useText().machines
  return (
    <EmptyState icon="search" title={t.empty.noMatch} hint={t.empty.noMatchHint(view.query.trim())}>
      <Button onClick={view.clearFilters}>{t.empty.clearFilters}</Button>
    </EmptyState>
  )
}

export function ListFailed({ view }: { view: MachineListView }) {
  const t = useText().machines
  return (
    <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
      <Button icon="refresh" busy={view.retrying} onClick={view.retry}>
        {t.failed.retry}
      </Button>
    </EmptyState>
  )
}

const skeletonCards = [0, 1, 2, 3, 4, 5]

/** Cards to come, in the measures of cards. */
export function SkeletonCards({ height }: { height: number }) {
  return (
    <Stack pad="10 12" gap={8} aria-busy="true">
      {skeletonCards.map((place) => (
        <div key={place} className={css.card} style={{ height }}>
          <Skeleton width={130 + ((place * 37) % 60)} height={14} />
          <Skeleton width={96} height={11} />
          <Skeleton height={24} />
        </div>
      ))}
    </Stack>
  )
}
