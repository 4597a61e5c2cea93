import { z } from 'zod'
import { alarmLimits } from './alarm-limits.ts'
import { id, instant, machineCode } from './fields.ts'
import { alarmLevels } from './machines.ts'
import { tagValue } from './telemetry.ts'

/**
 * The states of an alarm by ISA-18.2 and IEC 62682; `cleared` is an alarm that is over and was confirmed (normal
 * there). Shelved and out of service come before the others: an alarm in these states notifies nobody.
 */
export const alarmStages = [
  'normal',
  'activeUnacknowledged',
  'activeAcknowledged',
  'clearedUnacknowledged',
  'shelved',
  'outOfService',
] as const
export type AlarmStage = (typeof alarmStages)[number]

/** The orders of a list of alarms; within a need and level, a device or a state the latest come first. */
export const alarmSorts = ['need', 'raised', 'cleared', 'level', 'machine', 'state'] as const
export type AlarmSort = (typeof alarmSorts)[number]

/** The machine of an alarm, as the caller calls it. */
export const alarmContexts = { machineId: id, machineCode, machineName: z.string() }

/** A value that crossed a limit, or the limit itself; null without one. */
export const alarmValue = tagValue.nullable()

/** An alarm as lists show it. */
export const alarmRow = z.object({
  alarmId: id,
  ...alarmContexts,
  key: z.string(),
  ruleId: id.nullable().describe('Null: the device raised it'),
  tagId: id.nullable(),
  tag: z.string().nullable().describe('The name of the variable; null where it has none'),
  unit: z.string(),
  level: z.enum(alarmLevels),
  text: z.string().describe('The alarm’s text'),
  value: alarmValue.describe('The value that crossed the limit; null: the device gave none'),
  limit: alarmValue,
  count: z.int().describe('How often it was raised while it stood'),
  state: z.enum(['active', 'cleared']).describe('Whether it stands'),
  stage: z.enum(alarmStages),
  raisedAt: instant.describe('When it was raised, by the device’s clock'),
  receivedAt: instant.describe('When the platform got it'),
  clearedAt: instant.nullable(),
  confirmed: z.boolean().describe('Whether someone acknowledged it'),
  confirmedBy: z
    .string()
    .nullable()
    .describe('The person who acknowledged it; null: no one, or no longer known'),
  confirmedAt: instant.nullable(),
  note: z.string().describe('Of the person who acknowledged it'),
  shelvedUntil: instant.nullable().describe('Null: it isn’t shelved'),
  outOfService: z.boolean(),
  mayShelve: z.boolean().describe('The caller may shelve it and take it out of service'),
  repeats: z
    .object({
      count: z
        .int()
        .describe(
          `How often it was raised in the last ${alarmLimits.alarmRepeatsDays} days; ${alarmLimits.alarmRepeatsMax}: so often, or more`,
        ),
      at: z.array(instant).max(alarmLimits.alarmRepeatsShown).describe('The last times, the latest first'),
    })
    .optional()
    .describe('In a list of the newest repeats: of an alarm that was raised before'),
})
export type AlarmRow = z.output<typeof alarmRow>
