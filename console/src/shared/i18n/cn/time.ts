export const time = {
  never: '—',
  justNow: '刚刚',
  secondsAgo: (n: number) => `${n} 秒前`,
  minutesAgo: (n: number) => `${n} 分钟前`,
  hoursAgo: (n: number) => `${n} 小时前`,
  daysAgo: (n: number) => `${n} 天前`,
  inDays: (n: number) => (n > 0 ? `${n} 天后` : '今天'),
}
