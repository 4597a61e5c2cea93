/** The parts of the kit. */
export const kit = {
  search: '搜索',
  clearSearch: '清空搜索',
  none: '没有匹配项',
  choose: '请选择',
  chosen: (first: string, others: number) => `${first} 等 ${others + 1} 项`,
  more: (n: number) => `还有 ${n} 项`,
  presets: {
    lastHour: '最近 1 小时',
    last24Hours: '最近 24 小时',
    today: '今天',
    yesterday: '昨天',
    last7Days: '最近 7 天',
    last30Days: '最近 30 天',
  },
  date: {
    presetsLabel: '常用时段',
    clocks: '时区',
    zone: (zone: string, offset: string) => `${zone}（${offset}）`,
    time: '时间',
    startTime: '开始时间',
    endTime: '结束时间',
    done: '完成',
    order: '结束时间不能早于开始时间',
    outside: '超出可选的时间范围',
  },
  number: {
    decimals: (n: number) => (n === 0 ? '只能输入整数' : `最多 ${n} 位小数`),
    onlyNumbers: '只能输入数字',
    more: (label: string) => `增大${label}`,
    less: (label: string) => `减小${label}`,
  },
}
