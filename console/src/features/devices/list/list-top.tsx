import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { mayAdd, useDeviceSpace } from '../space.ts'
import { KindSwitch } from './kind-switch.tsx'
import type { MachineListProps } from './list-props.ts'
import css from './list-top.module.css'
import { StateChips } from './state-chips.tsx'
import { UnplacedFilter } from './unplaced-filter.tsx'
import { useSpaceWords } from './use-space-words.ts'
import { ViewSwitch } from './view-switch.tsx'

/** Search, filters and acts of a list on a phone. */
export function ListTop(props: Pick<MachineListProps, 'view' | 'onAdd'> & { children?: ReactNode }) {
  const { view, onAdd, children } = props
  const t = useText().machines
  const space = useDeviceSpace()
  const words = useSpaceWords()
  return (
    <>
      <h1 className="sr-only">{words.title}</h1>
      <search className={css.top}>
        <Row below={8} gap={8} align="stretch" className={css.searchRow}>
          <SearchField
            label={t.list.search}
            value={view.query}
            onChange={view.setQuery}
            className={css.search}
          />
          {children}
          <ViewSwitch />
          {mayAdd(space) && (
            <IconButton icon="plus" label={words.add} className={css.add} onClick={() => onAdd()} />
          )}
        </Row>
        <KindSwitch />
        <StateChips view={view} />
        <UnplacedFilter view={view} />
      </search>
    </>
  )
}
