import {
  type BoardTag,
  boardLimits,
  boards,
  machineVariable,
  type Tile,
  type TileType,
} from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { call } from '../../../shared/api/client.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { useDraft, useReturnedDraft } from '../../../shared/session/drafts.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { BoardDataProvider, useBoardData } from '../board-data.ts'
import type { Board } from '../board-queries.ts'
import { tileEidOf } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardSync } from '../use-board-sync.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import view from '../view/board.module.css'
import { MachineChoice, TimeControl } from '../view/board-bar.tsx'
import { BoardTimeProvider, useBoardTime } from '../view/board-time.ts'
import { useBoardMachine } from '../view/use-board-machine.ts'
import { AddMenu } from './add-menu.tsx'
import { BoardSettings } from './board-settings.tsx'
import { type Draft, isSame, mergeDrafts } from './merge.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { isSingle, isTagKind, newTileId, plainTile, type TagKind, tilesFor } from './new-tile.ts'
import { findPlace } from './place-tiles.ts'
import { TilePicker } from './tile-picker.tsx'
import { TileSettings } from './tile-settings.tsx'
import { useDraftSteps } from './use-draft-steps.ts'
import { type Base, useSaveBoard } from './use-save-board.ts'

/** Contains the library for dragging and resizing, which readers do not need. */
const EditGrid = lazy(() => import('./edit-grid.tsx'))

const noTags: readonly BoardTag[] = []

/** The side of a board that is open: a tile's settings or the board's own. */
type Side = { readonly tile: string } | 'board' | undefined

/** A board while it is edited. Changes that others save in the meantime are merged into the draft immediately. */
export function BoardEditor({ board, space }: { board: Board; space: PageSpace }) {
  const t = useBoardsText()
  const [, update] = useBoardsSearch()
  const [base, setBase] = useState<Base>({ version: board.version, name: board.name, layout: board.layout })
  const { draft, change, undo, redo, rebase } = useDraftSteps({ name: board.name, layout: board.layout })
  const { layout } = draft
  const machines = useBoardMachine(layout, space)
  const data = useBoardData(layout, machines.chosen?.id)
  const time = useBoardTime(layout)
  const [side, setSide] = useState<Side>()
  const [picks, setPicks] = useState<TagKind>()
  const [asks, setAsks] = useState(false)
  const [said, say] = useState('')
  const leave = () => update({ edit: undefined }, { replace: true })
  const { save, busy, question, forget } = useSaveBoard(board, leave)
  const isChanged = !isSame({ name: base.name, layout: base.layout }, draft)
  const chosen = side && side !== 'board' ? layout.tiles.find(({ id }) => id === side.tile) : undefined
  const machineType = layout.variable?.machineType
  const anyMachine = useSpaceMachines(space)?.[0]?.id

  useKeptDraft(board.id, draft, isChanged, change)
  useWarning(isChanged)

  const join = useEffectEvent(async () => {
    const theirs = await call(boards.getBoard, { id: board.id }, { noNotice: true })
    const by = theirs.updatedBy || t.view.someone
    if (mergeDrafts(base, draft, theirs).conflicts.length > 0) {
      showToast(t.merge.pending(by), 'info')
      return
    }
    rebase((one) => mergeDrafts(base, one, theirs).draft)
    setBase({ version: theirs.version, name: theirs.name, layout: theirs.layout })
    showToast(t.merge.merged(by), 'info')
  })
  useBoardSync(board.id, base.version, ({ deleted, by }) => {
    if (busy) return
    if (deleted) showToast(t.view.deleted(by || t.view.someone), 'info')
    else void join().catch(() => undefined)
  })

  const setTiles = (tiles: Tile[]) => change({ ...draft, layout: { ...layout, tiles } })
  const add = (added: readonly Tile[]) => {
    setTiles([...layout.tiles, ...added].slice(0, boardLimits.tilesPerBoard))
    const [first] = added
    if (first) setSide({ tile: first.id })
  }
  const addKind = (type: TileType) => {
    if (isTagKind(type)) return setPicks(type)
    const machine = machineType ? machineVariable : (firstMachine(layout.tiles) ?? anyMachine ?? 0)
    add([plainTile(type, { machine, text: t.edit.newText, tiles: layout.tiles })])
  }
  const duplicate = (tile: Tile) =>
    add([{ ...tile, id: newTileId(), ...findPlace(layout.tiles, { w: tile.w, h: tile.h }) }])
  const remove = (tile: Tile) => {
    setTiles(layout.tiles.filter(({ id }) => id !== tile.id))
    if (chosen?.id === tile.id) setSide(undefined)
    say(t.edit.removed)
  }
  const pick = (type: TagKind) => (tags: readonly BoardTag[]) => {
    setPicks(undefined)
    if (tags.length > 0) add(tilesFor(type, tags, layout.tiles))
  }

  function onKey(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || (event.target as Element).closest('input, textarea, dialog'))
      return
    const key = event.key.toLowerCase()
    const act = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <BoardDataProvider value={data}>
      <BoardTimeProvider value={time}>
        {/* The keys for undo and redo hold in all of it. */}
        <Stack gap={10} shrinks onKeyDown={onKey}>
          <Row gap={8} wraps shrinks>
            <h2 className={`${view.name} cut`}>{draft.name}</h2>
            {machines.type !== undefined && <MachineChoice machines={machines} />}
            <AddMenu isFull={layout.tiles.length >= boardLimits.tilesPerBoard} onAdd={addKind} />
            <IconButton icon="sliders" label={t.edit.boardSettings} onClick={() => setSide('board')} />
            <Button kind="ghost" size="small" disabled={!undo} onClick={undo}>
              {t.edit.undo}
            </Button>
            <Button kind="ghost" size="small" disabled={!redo} onClick={redo}>
              {t.edit.redo}
            </Button>
            <span className={view.space} />
            <TimeControl time={time} />
            <Button onClick={() => (isChanged ? setAsks(true) : leave())}>{t.edit.cancel}</Button>
            <Button kind="primary" busy={busy} onClick={() => (isChanged ? void save(base, draft) : leave())}>
              {t.edit.save}
            </Button>
          </Row>
          <Row gap={12} align="start" shrinks>
            <Suspense fallback={<Skeleton height={320} />}>
              <EditGrid
                tiles={layout.tiles}
                eid={tileEidOf(board, space)}
                isShared={board.sharedBy !== null}
                chosen={chosen?.id}
                onTiles={setTiles}
                onChoose={(tile) => setSide({ tile })}
                onDuplicate={duplicate}
                onRemove={remove}
                onSay={say}
              />
            </Suspense>
            {chosen && (
              <TileSettings
                key={chosen.id}
                tile={chosen}
                space={space}
                machineType={machineType}
                onChange={(tile) => setTiles(layout.tiles.map((one) => (one.id === tile.id ? tile : one)))}
                onClose={() => setSide(undefined)}
              />
            )}
            {side === 'board' && (
              <BoardSettings
                draft={draft}
                space={space}
                onChange={change}
                onClose={() => setSide(undefined)}
              />
            )}
          </Row>
          <p className="sr-only" aria-live="polite">
            {said}
          </p>
        </Stack>
        {picks && (
          <TilePicker
            space={space}
            machineType={machineType}
            first={machines.chosen?.id ?? firstMachine(layout.tiles)}
            chosen={noTags}
            verb={isSingle(picks) ? t.edit.addTiles : t.edit.addTile}
            max={Math.min(boardLimits.tagsPerTrend, boardLimits.tilesPerBoard - layout.tiles.length)}
            onPick={pick(picks)}
            onClose={() => setPicks(undefined)}
          />
        )}
        {asks && (
          <Dialog
            title={t.edit.discardTitle}
            onClose={() => setAsks(false)}
            actions={
              <>
                <Button onClick={() => setAsks(false)}>{t.edit.keep}</Button>
                <Button kind="danger" onClick={leave}>
                  {t.edit.discard}
                </Button>
              </>
            }
          >
            <p>{t.edit.discardBody}</p>
          </Dialog>
        )}
        {question && (
          <MergeDialog
            {...question}
            busy={busy}
            onSave={(answers) => void save(base, draft, answers)}
            onClose={forget}
          />
        )}
      </BoardTimeProvider>
    </BoardDataProvider>
  )
}

/** A machine that the tiles name already, because the next tile is likely to belong to it. */
function firstMachine(tiles: readonly Tile[]): number | undefined {
  for (const tile of tiles.toReversed()) {
    const tags = 'tags' in tile ? tile.tags : 'tag' in tile ? [tile.tag] : []
    for (const { machine } of tags) if (typeof machine === 'number') return machine
  }
  return undefined
}

/** Keeps the draft in case the session ends, and restores it. */
function useKeptDraft(id: number, draft: Draft, isChanged: boolean, onDraft: (draft: Draft) => void): void {
  const name = `board ${id}`
  const { data: person } = useQuery(personQuery)
  useDraft(name, { draft: isChanged ? JSON.stringify(draft) : '' })
  useReturnedDraft(name, person?.userid, ({ draft: kept }) => {
    if (kept) onDraft(JSON.parse(kept) as Draft)
  })
}

/** Makes the browser ask before the page is left with unsaved changes. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isChanged])
}
