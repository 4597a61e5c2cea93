import type { Fields } from '../../config/fields.ts'
import { parseCommonTag, parseTagType } from '../../config/tag-fields.ts'
import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import type { Signal } from './signal.ts'
import { signalKinds } from './signal.ts'
import type { SimulatedTag } from './simulated-driver.ts'
import { createSimulatedDriver } from './simulated-driver.ts'

/** Simulated values, to try the line to the cloud without a controller. */
export const simulatedKind: DriverKind<object, SimulatedTag> = {
  driverInterface,
  kind: 'simulated',
  parseConnection: () => ({}),
  parseTag: parseSimulatedTag,
  open: (connection, { clock, random }) => createSimulatedDriver(connection, clock, random),
}

function parseSimulatedTag(fields: Fields): SimulatedTag {
  const { type } = parseTagType(fields, 'float64')
  if (type === 'string') fields.problem('type', 'cannot be a string here')
  return { ...parseCommonTag(fields, type), signal: parseSignal(fields.mapping('signal')) }
}

function parseSignal(fields: Fields): Signal {
  const kind = fields.requiredOneOf('kind', signalKinds)
  const signal = parseSignalOf(kind, fields)
  if ('min' in signal && signal.min > signal.max) fields.problem('min', 'is greater than max')
  fields.finish()
  return signal
}

function parseSignalOf(kind: Signal['kind'], fields: Fields): Signal {
  const periodMs = (): number => fields.integer('periodMs', 1, 86_400_000) ?? 60_000
  switch (kind) {
    case 'sine':
      return {
        kind,
        min: fields.requiredNumber('min'),
        max: fields.requiredNumber('max'),
        periodMs: periodMs(),
      }
    case 'randomWalk': {
      const min = fields.requiredNumber('min')
      const max = fields.requiredNumber('max')
      const start = fields.number('start') ?? (min + max) / 2
      return { kind, min, max, start, step: fields.number('step') ?? (max - min) / 100 }
    }
    case 'square':
      return { kind, low: fields.number('low') ?? 0, high: fields.number('high') ?? 1, periodMs: periodMs() }
    case 'counter':
      return {
        kind,
        start: fields.number('start') ?? 0,
        step: fields.number('step') ?? 1,
        periodMs: periodMs(),
      }
  }
}
