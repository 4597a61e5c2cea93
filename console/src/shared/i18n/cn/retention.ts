/** How long a space keeps its values. */
export const retention = {
  lead: {
    personal:
      '适用于您个人空间的全部设备。超过原始数据的期限后，历史曲线改用平均值显示；超过期限的数据会被永久删除。',
    enterprise: (name: string) =>
      `适用于 ${name} 的全部设备。超过原始数据的期限后，历史曲线改用平均值显示；超过期限的数据会被永久删除。`,
  },
  title: '保留期限',
  axis: { now: '现在', months: (n: number) => `${n} 个月前`, years: (n: number) => `${n} 年前` },
  kinds: {
    rawDays: { name: '原始数据', hint: '设备上报的每一个值' },
    minuteDays: { name: '分钟平均值', hint: '每分钟的平均、最小和最大值' },
    hourDays: { name: '小时平均值', hint: '每小时的平均、最小和最大值' },
  },
  unit: '天',
  days: (n: string) => `${n} 天`,
  kept: (name: string, days: string) => `${name}：保留 ${days} 天`,
  keptThen: (lane: { name: string; now: string; then: string }) =>
    `${lane.name}：保留 ${lane.now} 天，改为 ${lane.then} 天`,
  marks: { deleted: '将被删除', longer: '将延长保留' },
  save: '保存',
  saved: '保留期限已保存',
  revert: '放弃修改',
  order: (name: string, days: string) => `不能短于${name}（${days} 天）`,
  readOnly: (enterprise: string) => `只有 ${enterprise} 的所有者和管理员可以修改。`,
  failed: { title: '保留期限加载失败', retry: '重试' },
  confirm: {
    title: '缩短保留期限？',
    deletes: (loss: { name: string; count: string; days: string }) =>
      `${loss.count} 天的${loss.name}（${loss.days} 天以前的数据）`,
    join: '、',
    body: (losses: string, at: string) =>
      `将永久删除 ${losses}，无法恢复。24 小时后生效（${at}），在此之前可以在本页撤销。`,
    action: '缩短并删除',
    done: (at: string) => `已保存，${at} 生效`,
  },
  next: {
    title: (at: string) => `${at} 起缩短保留期限`,
    change: (change: { name: string; from: string; to: string }) =>
      `${change.name}由 ${change.from} 天改为 ${change.to} 天`,
    join: '，',
    deletes: '届时永久删除更早的数据。',
    keep: '保持原期限',
    kept: '已撤销，保留期限不变',
  },
}
