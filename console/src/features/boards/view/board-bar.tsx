import { presetNames, presetOf, presets, rangeOf } from '../../../entities/history/history-span.ts'
import { presetText } from '../../../entities/history/history-text.ts'
import { SpanPicker } from '../../../entities/history/span-picker.tsx'
import { formatMinute, useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import { Select } from '../../../shared/ui/select/select.tsx'
import type { Board } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import css from './board.module.css'
import { BoardMenu } from './board-menu.tsx'
import type { BoardTime } from './board-time.ts'
import type { BoardMachine } from './use-board-machine.ts'
import type { Wall } from './use-wall.ts'

interface BoardBarProps {
  board: Board
  machines: BoardMachine
  time: BoardTime
  wall: Wall
  space: PageSpace
}

/** The head of a board: its name, the device of its variable, the time of all tiles, and what can be done with it. */
export function BoardBar({ board, machines, time, wall, space }: BoardBarProps) {
  const t = useBoardsText()
  const layout = useLayoutKind()
  const [, update] = useBoardsSearch()
  return (
    <Row gap={8} wraps shrinks>
      {!wall.isOn && (
        <IconButton
          icon="chevronLeft"
          label={t.view.back}
          onClick={() =>
            update({
              board: undefined,
              machine: undefined,
              last: undefined,
              from: undefined,
              until: undefined,
            })
          }
        />
      )}
      <h2
        className={`${css.name} cut`}
        title={t.view.lastSaved(formatMinute(board.updatedAt), board.updatedBy)}
      >
        {board.name}
      </h2>
      {machines.type !== undefined && <MachineChoice machines={machines} />}
      <span className={css.space} />
      <TimeControl time={time} />
      {time.isOther && <IconButton icon="refresh" size="small" label={t.view.reset} onClick={time.reset} />}
      {layout === 'wide' && (
        <IconButton
          icon={wall.isOn ? 'shrink' : 'expand'}
          label={wall.isOn ? t.view.leaveWall : t.view.wall}
          onClick={wall.toggle}
        />
      )}
      {!wall.isOn && <BoardMenu board={board} space={space} />}
      {board.mayEdit && !wall.isOn && layout === 'wide' && (
        <Button kind="primary" icon="edit" onClick={() => update({ edit: true })}>
          {t.view.edit}
        </Button>
      )}
    </Row>
  )
}

/** The device in the place of the board's variable. */
export function MachineChoice({ machines }: { machines: BoardMachine }) {
  const t = useBoardsText().view
  const { chosen, choices, type = '' } = machines
  return (
    <ComboBox
      label={t.device}
      isLabelHidden
      size="small"
      className={css.device}
      placeholder={choices.length === 0 ? t.noDevices(type) : t.choose}
      choices={choices.map(({ id, name, code }) => ({ value: String(id), label: name, hint: code }))}
      chosen={chosen ? [String(chosen.id)] : []}
      onChoose={([id]) => id !== undefined && machines.choose(Number(id))}
      searchLabel={t.deviceSearch}
      noneText={t.deviceNone}
    />
  )
}

/** The time that every tile shows. */
export function TimeControl({ time }: { time: BoardTime }) {
  const t = useBoardsText().view
  const { history } = useText()
  const range = time.moving ?? rangeOf(time.span, Date.now())
  const preset = presetOf(time.span)
  return (
    <Row gap={6} shrinks>
      <Select
        label={t.range}
        isLabelHidden
        size="small"
        value={preset}
        placeholder={history.custom.title}
        choices={presetNames.map((value) => ({ value, label: presetText(value, history) }))}
        onChange={(name) => time.show({ kind: 'live', lengthMs: presets[name] })}
      />
      <SpanPicker span={time.span} range={range} machineZone={undefined} onShow={time.show} />
    </Row>
  )
}
