import { z } from 'zod'
import { id, instant, nothing, shortText } from './fields.ts'
import { route } from './route.ts'
import { viewLimits } from './view-limits.ts'

const text = shortText(1, viewLimits.annotationTextMax)
const machineIds = z.array(id).min(1).max(viewLimits.machinesPerAnnotation)

const annotation = z.object({
  id,
  machineIds: z.array(id).describe('Of the devices that were asked for, those it is on'),
  from: instant,
  to: instant,
  text: z.string(),
  by: z.string(),
  at: instant,
  mayEdit: z.boolean(),
})
export type Annotation = z.output<typeof annotation>

/** The notes of people on stretches of a device’s past. Everybody who may see its values sees them. */
export const listAnnotations = route({
  method: 'GET',
  path: '/api/v1/annotations',
  who: { right: 'visitor+', machines: 'machineIds' },
  title: { cn: '历史数据的标注', en: 'List the notes on device history' },
  request: z.object({ machineIds, from: instant, to: instant }),
  answer: z.array(annotation).max(viewLimits.annotationsPerList).describe('The newest first'),
  errors: [],
})

/**
 * Everybody who may see the values may write: a visitor who repaired something knows best why a value jumped. It
 * changes nothing on the device, its author is named, and the keys may delete it.
 */
export const createAnnotation = route({
  method: 'POST',
  path: '/api/v1/annotations',
  who: { right: 'visitor+', machines: 'machineIds' },
  title: { cn: '添加标注', en: 'Add a note to device history' },
  request: z.object({ machineIds, from: instant, to: instant, text }),
  answer: z.object({ id }),
  errors: ['ANNOTATION_SPAN', 'ANNOTATIONS_FULL'],
})

/** For its author while they may see one of its devices, and for the keys of its devices. */
export const updateAnnotation = route({
  method: 'PUT',
  path: '/api/v1/annotations/:id',
  who: 'user',
  title: { cn: '修改标注', en: 'Change a note' },
  request: z.object({ id, text }),
  answer: nothing,
  errors: ['403', '404'],
})

export const deleteAnnotation = route({
  method: 'DELETE',
  path: '/api/v1/annotations/:id',
  who: 'user',
  title: { cn: '删除标注', en: 'Delete a note' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})
