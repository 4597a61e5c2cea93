import { z } from 'zod'
import { applicationKinds } from './applications.ts'
import { id, instant, machineCode, page, pageSize } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

/** The five tabs of the message centre; also accepted as 1 to 5 in this order. */
export const messageTabs = ['inbox', 'sent', 'alarm', 'project', 'device'] as const
export type MessageTab = (typeof messageTabs)[number]

const scene = z.union([
  z.enum(messageTabs),
  z.literal([1, 2, 3, 4, 5]).transform((place) => messageTabs[place - 1] as MessageTab),
])

/** Unread messages of each tab. */
const byScene = z.object({ inbox: z.int(), sent: z.int(), alarm: z.int(), project: z.int(), device: z.int() })
export type UnreadByTab = z.output<typeof byScene>

export const getTotalUnread = route({
  method: 'GET',
  path: '/api/msg/v1/totalUnread',
  who: 'user',
  title: { cn: '未读消息数', en: 'Count unread messages' },
  request: z.object({ scene: scene.optional() }),
  answer: z.object({
    totalUnreadMsg: z.int(),
    byScene,
    toAnswer: z
      .int()
      .describe(
        'Requests, transfers, invitations, handovers, windows and reports that need the caller’s answer',
      ),
  }),
  errors: [],
})

/** The types of messages in lists. `notice`: about a machine, to the people who hold it. */
export const messageTypes = [
  'send',
  'reply',
  'visitApply',
  'alarm',
  'bindApply',
  'bindSuccess',
  'visitSuccess',
  'projectAlarm',
  'transfer',
  'invitation',
  'reportRequest',
  'notice',
] as const
export type MessageType = (typeof messageTypes)[number]

/** The outcome of a transfer, an invitation or a handover. */
export const messageOutcomes = ['accepted', 'refused', 'withdrawn', 'expired'] as const
export type MessageOutcome = (typeof messageOutcomes)[number]

const message = z.object({
  id,
  type: z.enum(messageTypes),
  title: z.string(),
  body: z.string().describe('Instants in it are written as ISO 8601'),
  times: z
    .array(z.object({ start: z.int(), end: z.int(), at: instant }))
    .describe('Where in `body` an instant stands, in UTF-16 units, to be written in the reader’s time zone'),
  machine: z.object({ machineId: id, machineCode, name: z.string() }).nullable(),
  applyId: id.nullable(),
  transferId: id.nullable(),
  invitationId: id.nullable().describe('Of an enterprise that invites the caller'),
  handoverId: id.nullable().describe('Of an enterprise that asks the caller to take its devices'),
  contactId: id.nullable().describe('Of a person or an enterprise that wants to send the caller reports'),
  alarmId: id.nullable().describe('Of the alarm it tells of'),
  boardId: id.nullable().describe('Of the board that was shared with the caller'),
  projectId: id.nullable().describe('Of the project it tells of, or that invites the caller'),
  auditState: z.int().min(0).max(6).nullable().describe('Of its request, as it is now'),
  isResult: z.boolean().describe('It tells how something ended'),
  mayAnswer: z
    .boolean()
    .describe('Its request, transfer, invitation, handover or maintenance window needs the caller’s answer'),
  outcome: z
    .enum(messageOutcomes)
    .nullable()
    .describe('How its transfer, invitation or handover ended; null: pending, or there is none'),
  read: z.boolean(),
  created_at: instant,
})
export type Message = z.output<typeof message>

const messagePage = z.object({
  list: z.array(message),
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  totalUnreadMsg: z.int(),
})

export const listMessages = route({
  method: 'POST',
  path: '/api/msg/v1/page',
  who: 'user',
  load: 'search',
  title: { cn: '消息列表', en: 'List the messages of a tab' },
  request: z.object({
    scene,
    page,
    pageSize: pageSize(20, 200),
    read: z.boolean().optional(),
    mayAnswer: z.literal(true).optional().describe('Only messages that need the caller’s answer'),
    search: z
      .string()
      .max(64)
      .default('')
      .describe('In the name or code of the device, or a person’s name, of the latest 10,000'),
  }),
  answer: messagePage,
  errors: [],
})

/** The older form of `msg/v1/page`. */
export const listMessagesOfTab = route({
  method: 'POST',
  path: '/api/user/getMsgCenterMsgs',
  who: 'user',
  load: 'search',
  title: { cn: '消息中心列表（旧版）', en: 'List the messages of a tab (older form)' },
  request: z.object({ msgwhat: scene, page, pageSize: pageSize(20, 200) }),
  answer: messagePage,
  errors: [],
})

/** Some messages by their ids, or a whole tab. */
const which = {
  ids: z.array(id).max(limits.messagesPerCall).optional(),
  scene: scene.optional().describe('One of the two'),
}

export const readMessages = route({
  method: 'PUT',
  path: '/api/msg/v1/read',
  who: 'user',
  title: { cn: '标为已读', en: 'Mark messages as read' },
  request: z.object(which),
  answer: z.object({ read: z.int(), totalUnreadMsg: z.int() }),
  errors: [],
})

export const clearMessages = route({
  method: 'DELETE',
  path: '/api/msg/v1/clear',
  who: 'user',
  title: { cn: '删除消息', en: 'Delete messages' },
  request: z.object(which),
  answer: z.object({ deleted: z.int(), totalUnreadMsg: z.int() }),
  errors: [],
})

export const getMessage = route({
  method: 'GET',
  path: '/api/msg/v1/detail/:id',
  who: 'user',
  title: { cn: '消息详情', en: 'Get a message with its request' },
  request: z.object({ id }),
  answer: message.extend({
    application: z
      .object({
        applyId: id,
        kind: z.enum(applicationKinds),
        person: z.string(),
        phone: z.string().describe('Masked'),
        message: z.string(),
        remarks: z.string(),
        terminalName: z.string(),
        wish: z.enum(['ro', 'rw']),
        expireAt: instant,
      })
      .nullable(),
  }),
  errors: ['404'],
})
