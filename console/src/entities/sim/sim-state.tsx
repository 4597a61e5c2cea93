import type { SimState } from '@busbar/contract'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { useSimsText } from './sims-text.ts'

/** The shape and colour of each state: trouble, something to do, in use, not begun, gone. */
export const shapeOfSim: Readonly<Record<SimState, DisplayState>> = {
  unactivated: 'offline',
  silent: 'service',
  suspended: 'alarm',
  disconnected: 'alarm',
  toActivate: 'service',
  working: 'online',
  expired: 'alarm',
  recycled: 'offline',
  unknown: 'warning',
  deleted: 'offline',
}

const tones: Readonly<Partial<Record<DisplayState, 'crit' | 'warn'>>> = { alarm: 'crit', warning: 'warn' }

/** A card's state as shape, colour and word. */
export function SimStateMark({ state, isLarge = false }: { state: SimState; isLarge?: boolean }) {
  const shape = shapeOfSim[state]
  return (
    <Row as="span" inline gap={6} shrinks>
      <Glyph state={shape} size={isLarge ? 11 : 9} />
      <Text cut tone={tones[shape]} {...(isLarge && { size: '16/22', weight: 600 })}>
        {useSimsText().states[state]}
      </Text>
    </Row>
  )
}
