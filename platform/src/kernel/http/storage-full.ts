import { z } from 'zod'
import { Failure } from './failure.ts'

/** The SQLSTATE with which the database refuses what is beyond a budget of stored bytes: `keep_bytes` of its schema. */
const beyondBudget = 'BB001'

const refused = z.object({ code: z.literal(beyondBudget), detail: z.string() })
const about = z.object({ bytesMax: z.number(), isEnterprise: z.boolean() })

/** The failure of a statement that would keep more bytes than its space may; undefined for another error. */
export function storageFull(error: unknown): Failure | undefined {
  const { data } = refused.safeParse(error)
  if (!data) return undefined
  const { bytesMax, isEnterprise } = about.parse(JSON.parse(data.detail))
  const most = `${Math.round(bytesMax / 1_048_576).toLocaleString('en')} MB`
  const kept = {
    cn: '看板及其历史版本、模板、视图、标注、图片和定期报告等合计已达上限，请先删除不用的内容；已删除的看板需彻底删除才释放空间',
    en: 'boards with their versions, templates, views, notes, pictures and reports. Delete some first; a deleted board takes up storage until it is removed for good.',
  }
  return new Failure('STORAGE_FULL', {
    data: { bytesMax },
    text: {
      cn: `${isEnterprise ? '企业' : '您'}的存储空间（${most}）已满：${kept.cn}`,
      en: `${isEnterprise ? 'The enterprise’s' : 'Your'} storage of ${most} is full: ${kept.en}`,
    },
  })
}
