import { type destinations, projectLimits } from '@busbar/contract'

export const deliveriesText = {
  title: '投递记录',
  lead: `最近 ${projectLimits.deliveryDays} 天。同一请求被接收方拒绝五次后成为失败投递，其后的数据继续投递；修好接收程序后可重新投递。`,
  columns: {
    at: '时间',
    target: '数据去向',
    status: '结果',
    rows: '行数',
    bytes: '大小',
    attempts: '尝试次数',
    ms: '耗时',
  },
  states: {
    ok: '成功',
    failed: '失败',
    dead: '失败投递',
    resent: '已重新投递',
  } satisfies Record<destinations.DeliveryState, string>,
  requests: (requests: string) => `${requests} 次请求`,
  state: '结果',
  of: '数据去向',
  all: '全部去向',
  empty: '暂无投递',
  emptyHint: '项目有数据行并且有已开启的数据去向时，投递记录显示在这里。',
  detailTitle: (rows: string) => `投递 · ${rows} 行`,
  failed: '投递详情加载失败',
  noRequest: '只保留失败投递的请求内容',
  resend: '重新投递',
  resendOf: (target: string) => `重新投递到 ${target}`,
  resent: '已重新投递',
}
