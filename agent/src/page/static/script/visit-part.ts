import type { VisitView } from '../../page-api.ts'
import { button, byId, el, refill, setText } from './dom.ts'
import { formatTime } from './format.ts'
import type { Model, Part } from './model.ts'
import { agentNow } from './model.ts'
import { texts } from './texts.ts'

function controlText({ mode, controller }: VisitView): string {
  const t = texts()
  if (mode === 'rw') return t.controlMine
  if (controller === null) return t.controlFree
  return controller.me ? t.controlElsewhere : t.controlOf(controller.name)
}

/** The line of a visit: who is in control, its end, and the way to control. */
export function createVisitPart(model: Model, takeControl: () => void): Part {
  const words = el('span', 'visit-words')
  const action = el('span', 'visit-action')
  refill(byId('visit'), words, action)
  let drawn = ''

  function drawAction(visit: VisitView): void {
    const t = texts()
    const state = visit.mode === 'rw' ? '' : visit.mayTake ? 'take' : visit.asks ? 'asked' : 'ask'
    if (state === drawn) return
    drawn = state
    refill(action)
    if (state === 'asked') action.append(el('span', 'visit-asked', t.controlAsked))
    else if (state !== '')
      action.append(button('visit-control', takeControl, state === 'ask' ? t.askControl : t.takeControl))
  }

  return {
    update(tags) {
      if (tags !== null) return
      const { visit } = model
      byId('visit').hidden = visit === null
      if (visit === null) return
      const now = Date.now()
      const end = texts().visitEnds(formatTime(now + visit.until - agentNow(model), now, false))
      setText(words, `${controlText(visit)} · ${end}`)
      drawAction(visit)
    },
  }
}
