import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState, sayStates } from '../../../entities/machine/machine-state.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Note } from '../../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../../shared/ui/layout-kind.ts'
import type { SitePlan } from '../site-queries.ts'
import { useSitesText } from '../sites-text.ts'
import css from './plan.module.css'
import {
  cornerOf,
  inPicture,
  moved,
  type Point,
  pictureSize,
  pointAt,
  type Sight,
  type Size,
  wholePlan,
  zoomed,
} from './plan-scale.ts'

/** A machine on the plan. */
export interface PlanMark extends Point {
  readonly machine: Machine
}

/** The questions of the page around a plan. */
export interface PlanHandle {
  /** The point of the picture at a point of the window; undefined outside of the plan. */
  readonly pointAt: (client: Point) => Point | undefined
  /** The point of the picture in the middle of the view. */
  readonly centre: () => Point
  readonly focusMark: (machineId: number) => void
}

interface PlanCanvasProps {
  plan: SitePlan
  marks: readonly PlanMark[]
  chosen: number | undefined
  onChoose: (machineId: number | undefined) => void
  /** While it is edited. */
  edit?: { move: (machineId: number, to: Point) => void; takeOff: (machineId: number) => void } | undefined
  ref?: Ref<PlanHandle>
}

/** Of a picture that tells no size. */
const usualAspect = 4 / 3
const zoomStep = 1.4
const wheelStep = 1.0015
/** Pixels of one press of an arrow key, for the picture and for a mark; with Shift a mark goes ten times as far. */
const keyPixels = 60
const markPixels = 4
/** A pointer that moved less is a press. */
const pressPixels = 4
/** Above this number, and on a phone, marks show their names only when the plan is enlarged. */
const namedMax = 30
const namedZoom = 2

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** A plan with the machines on it, in their live states; it is moved and enlarged by pointer, fingers and keys. */
export function PlanCanvas({ plan, marks, chosen, onChoose, edit, ref }: PlanCanvasProps) {
  const t = useSitesText().view
  const layout = useLayoutKind()
  const hintId = useId()
  const view = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const [aspect, setAspect] = useState(usualAspect)
  const [isBroken, setBroken] = useState(false)
  const [sight, setSight] = useState<Sight>(wholePlan)
  const pointers = useRef(new Map<number, Point>())
  const dragged = useRef<{ machineId: number; hasMoved: boolean; from: Point }>(undefined)

  useLayoutEffect(() => {
    const element = view.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const inView = ({ x, y }: Point): Point => {
    const box = view.current?.getBoundingClientRect()
    return { x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) }
  }
  const clientOf = (event: { clientX: number; clientY: number }): Point => ({
    x: event.clientX,
    y: event.clientY,
  })
  const zoom = (factor: number, at: Point = { x: size.width / 2, y: size.height / 2 }) =>
    setSight((before) => zoomed(size, aspect, before, factor, at))
  const move = (by: Point) => setSight((before) => moved(size, aspect, before, by))

  useImperativeHandle(ref, () => ({
    pointAt: (client) => {
      const at = inView(client)
      if (at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height) return undefined
      return inPicture(pointAt(size, aspect, sight, at))
    },
    centre: () => ({ x: sight.x, y: sight.y }),
    focusMark: (machineId) =>
      view.current?.querySelector<HTMLElement>(`[data-machine="${machineId}"]`)?.focus(),
  }))

  const wheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    zoom(wheelStep ** -event.deltaY, inView(clientOf(event)))
  })
  useEffect(() => {
    const element = view.current
    // React’s own listener is passive: the page would scroll as well.
    const listener = (event: WheelEvent) => wheel(event)
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  function pointerMoves(event: PointerEvent<HTMLDivElement>) {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = clientOf(event)
    const mark = dragged.current
    if (mark && edit) {
      mark.hasMoved ||= Math.hypot(now.x - mark.from.x, now.y - mark.from.y) > pressPixels
      if (mark.hasMoved) {
        view.current?.setPointerCapture(event.pointerId)
        edit.move(mark.machineId, inPicture(pointAt(size, aspect, sight, inView(now))))
      }
      return
    }
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, at]) => at)
    const [other] = others
    if (other) {
      const factor =
        Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y)
      if (Number.isFinite(factor) && factor > 0)
        zoom(factor, inView({ x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }))
    } else if (
      Math.hypot(now.x - before.x, now.y - before.y) < pressPixels &&
      !view.current?.hasPointerCapture(event.pointerId)
    ) {
      return
    } else {
      // Only now: a press of a mark stays a press of the mark.
      view.current?.setPointerCapture(event.pointerId)
      move({ x: now.x - before.x, y: now.y - before.y })
    }
    pointers.current.set(event.pointerId, now)
  }

  function pointerEnds(event: PointerEvent<HTMLDivElement>) {
    pointers.current.delete(event.pointerId)
    dragged.current = undefined
  }

  function keyMoves(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = arrows[event.key]
    if (arrow) move({ x: -arrow.x * keyPixels, y: -arrow.y * keyPixels })
    else if (event.key === '+' || event.key === '=') zoom(zoomStep)
    else if (event.key === '-') zoom(1 / zoomStep)
    else if (event.key === '0') setSight(wholePlan)
    else if (event.key === 'Escape' && chosen !== undefined) onChoose(undefined)
    else return
    event.preventDefault()
  }

  function keyOnMark(event: KeyboardEvent<HTMLButtonElement>, { machine, x, y }: PlanMark) {
    if (!edit) return
    const arrow = arrows[event.key]
    if (arrow) {
      const picture = pictureSize(size, aspect, sight.zoom)
      const pixels = markPixels * (event.shiftKey ? 10 : 1)
      edit.move(
        machine.id,
        inPicture({ x: x + (arrow.x * pixels) / picture.width, y: y + (arrow.y * pixels) / picture.height }),
      )
    } else if (event.key === 'Delete' || event.key === 'Backspace') edit.takeOff(machine.id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const hasNames = sight.zoom >= namedZoom || (layout === 'wide' && marks.length <= namedMax)
  const corner = cornerOf(size, aspect, sight)
  const picture = pictureSize(size, aspect, sight.zoom)
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a field set is for the fields of a form */}
      <div
        ref={view}
        role="group"
        aria-label={t.label(plan.name)}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the picture
        tabIndex={0}
        className={css.view}
        style={{ '--aspect': aspect } as CSSProperties}
        data-edit={edit ? '' : undefined}
        data-subject=""
        onKeyDown={keyMoves}
        onPointerDown={(event) => {
          if (event.button === 0) pointers.current.set(event.pointerId, clientOf(event))
        }}
        onPointerMove={pointerMoves}
        onPointerUp={pointerEnds}
        onPointerCancel={pointerEnds}
      >
        <div
          className={css.sheet}
          style={{
            width: picture.width,
            height: picture.height,
            transform: `translate(${corner.x}px, ${corner.y}px)`,
          }}
        >
          <img
            src={plan.picture}
            alt=""
            draggable={false}
            className={css.picture}
            onError={() => setBroken(true)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setBroken(false)
              setAspect(naturalWidth > 0 && naturalHeight > 0 ? naturalWidth / naturalHeight : usualAspect)
            }}
          />
          <ul aria-label={t.onPlan} data-names={hasNames ? '' : undefined}>
            {marks.map((mark) => (
              <Mark
                key={mark.machine.id}
                mark={mark}
                isChosen={mark.machine.id === chosen}
                onPress={() => onChoose(mark.machine.id)}
                onKeyDown={(event) => keyOnMark(event, mark)}
                onPointerDown={(event) => {
                  if (edit && event.button === 0)
                    dragged.current = { machineId: mark.machine.id, hasMoved: false, from: clientOf(event) }
                }}
              />
            ))}
          </ul>
        </div>
        {isBroken && <p className={css.broken}>{t.broken}</p>}
      </div>
      <div className={css.zoom}>
        <IconButton icon="plus" bordered label={t.zoomIn} onClick={() => zoom(zoomStep)} />
        <IconButton icon="minus" bordered label={t.zoomOut} onClick={() => zoom(1 / zoomStep)} />
        <IconButton icon="shrink" bordered label={t.fit} onClick={() => setSight(wholePlan)} />
      </div>
      <Note id={hintId} className={css.hint}>
        {t.keys}
        {edit && <span className={css.editKeys}>{t.editKeys}</span>}
      </Note>
    </div>
  )
}

interface MarkProps {
  mark: PlanMark
  isChosen: boolean
  onPress: () => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
  onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void
}

/** A machine: shape, colour and word of its state, and its name. */
function Mark({ mark: { machine, x, y }, isChosen, onPress, onKeyDown, onPointerDown }: MarkProps) {
  const words = useText().machines.states
  const said = sayStates(machine, words)
  const state = displayState(machine)
  const place: CSSProperties = { left: `${x * 100}%`, top: `${y * 100}%` }
  return (
    <li className={css.place} style={place}>
      <button
        type="button"
        className={css.mark}
        data-machine={machine.id}
        data-state={state}
        data-side={x > 0.7 ? 'left' : 'right'}
        data-tip={`${machine.name} · ${said}`}
        aria-label={`${machine.name}, ${said}`}
        aria-pressed={isChosen}
        onClick={onPress}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
      >
        <Glyph state={state} size={14} />
        <span className={`${css.name} cut`}>{machine.name}</span>
      </button>
    </li>
  )
}
