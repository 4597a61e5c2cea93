import { z } from 'zod'

/** Pictures of machines that the platform includes; `machine` is the general one. */
export const builtInPictures = [
  'machine',
  'injection-press',
  'chiller',
  'pump-station',
  'cnc',
  'machining-centre',
  'compressor',
  'oven',
  'water-plant',
  'cooling-tower',
  'packaging',
  'oxidiser',
  'tank',
  'plc',
  'feeder',
  'pasteuriser',
] as const
export type BuiltInPicture = (typeof builtInPictures)[number]

/** A picture of pixels that was uploaded here. */
export const photoUrl = z
  .string()
  .regex(/^\/uploads\/[0-9a-f]{32}\.(?:png|jpg|webp)$/, { message: 'photoUrl' })
