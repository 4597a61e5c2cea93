import { z } from 'zod'
import { route } from './route.ts'

/** The five tabs of the message centre; also accepted as 1 to 5 in this order (decision 52). */
export const messageTabs = ['inbox', 'sent', 'alarm', 'project', 'device'] as const
export type MessageTab = (typeof messageTabs)[number]

const scene = z.union([
  z.enum(messageTabs),
  z.literal([1, 2, 3, 4, 5]).transform((place) => messageTabs[place - 1] as MessageTab),
])

export const getTotalUnread = route({
  method: 'GET',
  path: '/api/msg/v1/totalUnread',
  who: 'user',
  title: { cn: '未读消息数', en: 'Unread messages' },
  request: z.object({ scene: scene.optional() }),
  answer: z.object({
    totalUnreadMsg: z.int(),
    byScene: z.object({ inbox: z.int(), sent: z.int(), alarm: z.int(), project: z.int(), device: z.int() }),
  }),
  errors: [],
})
