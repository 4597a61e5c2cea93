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
  editedAt: instant.nullable().describe('When its author last changed the words; null: never'),
  mayEdit: z.boolean().describe('The caller wrote it'),
  mayHide: z.array(id).describe('Of these devices, those that the caller may take it off as their key'),
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
 * changes nothing on the device, its author is named, and the keys may take it off their device.
 */
export const createAnnotation = route({
  method: 'POST',
  path: '/api/v1/annotations',
  who: { right: 'visitor+', machines: 'machineIds' },
  title: { cn: '添加标注', en: 'Add a note to device history' },
  request: z.object({ machineIds, from: instant, to: instant, text }),
  answer: z.object({ id }),
  errors: ['ANNOTATION_SPAN', 'ANNOTATIONS_FULL', 'STORAGE_FULL'],
})

/** For its author alone, while they may see one of its devices. The former text is kept. */
export const updateAnnotation = route({
  method: 'PUT',
  path: '/api/v1/annotations/:id',
  who: 'user',
  title: { cn: '修改标注', en: 'Change a note' },
  request: z.object({ id, text }),
  answer: nothing,
  errors: ['403', '404', 'STORAGE_FULL'],
})

/** For people who may see one of its devices; the latest first. */
export const listAnnotationVersions = route({
  method: 'GET',
  path: '/api/v1/annotations/:id/versions',
  who: 'user',
  title: { cn: '标注的历史内容', en: 'List the former texts of a note' },
  request: z.object({ id }),
  answer: z
    .array(z.object({ text: z.string(), until: instant.describe('When another text replaced it') }))
    .max(viewLimits.versionsPerAnnotation),
  errors: ['404'],
})

/** Takes a note off one device; it stays on its others. A note on no device is deleted. */
export const hideAnnotation = route({
  method: 'DELETE',
  path: '/api/v1/annotations/:id/machines/:machineId',
  who: { right: 'bkey+', machine: 'machineId' },
  title: { cn: '在设备上隐藏标注', en: 'Hide a note on a device' },
  request: z.object({ id, machineId: id }),
  answer: nothing,
  errors: ['404'],
})

/** For its author alone. */
export const deleteAnnotation = route({
  method: 'DELETE',
  path: '/api/v1/annotations/:id',
  who: 'user',
  title: { cn: '删除标注', en: 'Delete a note' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})
