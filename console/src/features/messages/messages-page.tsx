import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { ErrorFence } from '../../shared/ui/error-fence.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import frame from '../../shared/ui/list-frame.module.css'
import { Pager } from '../../shared/ui/pager.tsx'
import { PaneFrame } from '../../shared/ui/pane/pane-frame.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useListKeys } from '../../shared/ui/use-list-keys.ts'
import { MessageList } from './message-list.tsx'
import { MessagePane } from './message-pane.tsx'
import type { Message } from './message-queries.ts'
import { MessageTabs } from './message-tabs.tsx'
import { MessageToolbar } from './message-toolbar.tsx'
import css from './messages-page.module.css'
import { clearMessages, type MessageChoice, refreshMessages, useRead } from './use-message-actions.ts'
import { type MessageListView, useMessageList } from './use-message-list.ts'
import { useMessageSearch } from './use-message-search.ts'

/** All messages of a person, and the applications they answer. */
export function MessagesPage(): ReactNode {
  const t = useText().messages
  const layout = useLayoutKind()
  const client = useQueryClient()
  const [search, update] = useMessageSearch()
  const view = useMessageList()
  const read = useRead()
  const searchField = useRef<HTMLInputElement>(null)
  const [active, setActive] = useState<number | null>(null)
  const [asking, setAsking] = useState<Confirmation>()
  const openId = search.message ?? null
  const activeId = active ?? openId

  function open(id: number) {
    setActive(id)
    // Opening the first one adds a history entry; moving from one to the next does not.
    update({ message: id }, { replace: openId !== null })
  }
  const close = () => update({ message: undefined })

  function move(step: 1 | -1) {
    const message = view.neighbour(openId ?? activeId, step)
    if (!message) return
    if (openId === null) setActive(message.id)
    else open(message.id)
  }

  useListKeys({
    onNext: () => move(1),
    onPrevious: () => move(-1),
    onOpen: () => activeId !== null && open(activeId),
    onClose: () => openId !== null && close(),
    onSearch: () => searchField.current?.focus(),
  })

  function askRemove(title: string, count: number, choice: MessageChoice) {
    setAsking({
      title,
      body: t.confirm.body,
      action: t.confirm.action,
      done: t.confirm.done(count),
      async call() {
        await clearMessages(choice)
        view.choose([])
        if (openId !== null && (!('ids' in choice) || choice.ids.includes(openId))) close()
      },
    })
  }
  const removeOne = ({ id, title }: Pick<Message, 'id' | 'title'>) =>
    askRemove(t.confirm.one(title), 1, { ids: [id] })
  const { size } = view.chosen

  return (
    <Row align="stretch" grows className={css.page}>
      <Stack gap={12} grows className={frame.column}>
        <h1 className={layout === 'narrow' ? 'sr-only' : undefined}>{t.title}</h1>
        <section className={frame.panel} aria-label={t.tabs[view.tab]} aria-busy={view.status === 'loading'}>
          <MessageTabs tab={view.tab} />
          <MessageToolbar
            key={view.tab}
            view={view}
            filter={search.asks && view.tab === 'inbox' ? 'asks' : search.unread ? 'unread' : 'all'}
            query={search.q ?? ''}
            update={update}
            searchRef={searchField}
            onRead={() => {
              read.mutate({ ids: [...view.chosen] })
              view.choose([])
            }}
            onReadAll={() => read.mutate({ scene: view.tab }, { onSuccess: () => showToast(t.readDone) })}
            onRemove={() => askRemove(t.confirm.many(size), size, { ids: [...view.chosen] })}
            onRemoveAll={() =>
              askRemove(t.confirm.all(t.tabs[view.tab], formatNumber(view.total)), view.total, {
                scene: view.tab,
              })
            }
          />
          <Stack grows className={css.rows}>
            <MessageList
              view={view}
              openId={openId}
              activeId={activeId}
              onOpen={open}
              onRemove={removeOne}
              onShowAll={() =>
                update(
                  { unread: undefined, asks: undefined, q: undefined, page: undefined },
                  { replace: true },
                )
              }
            />
          </Stack>
          <Foot view={view} onPage={(page) => update({ page: page > 1 ? page : undefined })} />
        </section>
      </Stack>
      {openId !== null && (
        <PaneFrame layout={layout} label={t.pane.frame} onClose={close}>
          <ErrorFence name={String(openId)}>
            <MessagePane
              key={openId}
              id={openId}
              onClose={close}
              onRemove={removeOne}
              onPrevious={view.neighbour(openId, -1) && (() => move(-1))}
              onNext={view.neighbour(openId, 1) && (() => move(1))}
            />
          </ErrorFence>
        </PaneFrame>
      )}
      {asking && (
        <ConfirmDialog
          confirmation={asking}
          onClose={() => setAsking(undefined)}
          onSettled={() => refreshMessages(client)}
        />
      )}
    </Row>
  )
}

/** The number of messages, and the paging. */
function Foot({ view, onPage }: { view: MessageListView; onPage: (page: number) => void }) {
  const t = useText().messages
  const { status, total, page, pages } = view
  if (status !== 'ready') return null
  return (
    <footer className={css.foot}>
      <span role="status">{t.count(formatNumber(total))}</span>
      <Pager size="small" page={page} pages={pages} onPage={onPage} />
    </footer>
  )
}
