import { type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Box, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import css from './messages-page.module.css'
import type { MessageListView } from './use-message-list.ts'
import type { UpdateMessageSearch } from './use-message-search.ts'

/** Which messages of a tab are listed. */
export type MessageFilter = 'all' | 'unread' | 'asks'

interface MessageToolbarProps {
  view: MessageListView
  filter: MessageFilter
  query: string
  update: UpdateMessageSearch
  searchRef: RefObject<HTMLInputElement | null>
  onRead: () => void
  onReadAll: () => void
  onRemove: () => void
  onRemoveAll: () => void
}

/** Narrows the list; with messages chosen, acts on them. */
export function MessageToolbar(props: MessageToolbarProps) {
  const { view } = props
  const t = useText().messages
  const all = view.rows.length > 0 && view.chosen.size === view.rows.length
  return (
    <Row line="bottom" gap={10} fixed className={css.toolbar}>
      <input
        type="checkbox"
        className={css.check}
        aria-label={t.selectAll}
        data-tip={t.selectAll}
        checked={all}
        disabled={view.rows.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = view.chosen.size > 0 && !all
        }}
        onChange={() => view.choose(all ? [] : view.rows.map((row) => row.id))}
      />
      {view.chosen.size > 0 ? <ChosenTools {...props} /> : <ListTools {...props} />}
    </Row>
  )
}

function ChosenTools({ view, onRead, onRemove }: MessageToolbarProps) {
  const t = useText().messages
  return (
    <>
      <Text weight={500} oneLine role="status">
        {t.selected(view.chosen.size)}
      </Text>
      <Button size="small" icon="check" onClick={onRead}>
        {t.markRead}
      </Button>
      <Button size="small" icon="trash" onClick={onRemove}>
        {t.remove}
      </Button>
      <Box as="span" grows />
      <IconButton icon="close" size="small" label={t.unselect} onClick={() => view.choose([])} />
    </>
  )
}

function ListTools(props: MessageToolbarProps) {
  const { view, filter, query, update, searchRef, onReadAll, onRemoveAll } = props
  const t = useText().messages
  // Only messages of the inbox ask for an answer.
  const filters: MessageFilter[] = view.tab === 'inbox' ? ['all', 'unread', 'asks'] : ['all', 'unread']
  const [typed, setTyped] = useTyped(query, (q) =>
    update({ q: q || undefined, page: undefined }, { replace: true }),
  )
  return (
    <>
      <search className={css.search}>
        <SearchField ref={searchRef} label={t.search} value={typed} onChange={setTyped} maxLength={64} />
      </search>
      <ToggleGroup
        label={t.filter.label}
        value={filter}
        onChange={(value) =>
          update(
            {
              unread: value === 'unread' || undefined,
              asks: value === 'asks' || undefined,
              page: undefined,
            },
            { replace: true },
          )
        }
        options={filters.map((value) => ({ value, label: t.filter[value] }))}
      />
      <Menu label={t.list} placement="bottom end" trigger={<IconButton icon="more" label={t.more} />}>
        <MenuItem icon="check" onAction={onReadAll}>
          {t.readAll}
        </MenuItem>
        <MenuItem icon="trash" danger disabled={view.total === 0} onAction={onRemoveAll}>
          {t.removeAll}
        </MenuItem>
      </Menu>
    </>
  )
}

/** The address follows the typing this much later, so that it does not change with every key. */
const addressDelayMs = 300

/** The typed text, immediately here and a little later in the address. */
function useTyped(inAddress: string, write: (query: string) => void): [string, (query: string) => void] {
  const [typed, setTyped] = useState(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    typed,
    (next) => {
      setTyped(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => write(next), addressDelayMs)
    },
  ]
}
