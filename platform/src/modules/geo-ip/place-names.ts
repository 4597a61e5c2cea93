/** China's provinces as the table of addresses calls them, and their English names. */
export const provinceNames: Readonly<Record<string, string>> = {
  北京: 'Beijing',
  天津: 'Tianjin',
  河北: 'Hebei',
  山西: 'Shanxi',
  内蒙古: 'Inner Mongolia',
  辽宁: 'Liaoning',
  吉林: 'Jilin',
  黑龙江: 'Heilongjiang',
  上海: 'Shanghai',
  江苏: 'Jiangsu',
  浙江: 'Zhejiang',
  安徽: 'Anhui',
  福建: 'Fujian',
  江西: 'Jiangxi',
  山东: 'Shandong',
  河南: 'Henan',
  湖北: 'Hubei',
  湖南: 'Hunan',
  广东: 'Guangdong',
  广西: 'Guangxi',
  海南: 'Hainan',
  重庆: 'Chongqing',
  四川: 'Sichuan',
  贵州: 'Guizhou',
  云南: 'Yunnan',
  西藏: 'Tibet',
  陕西: 'Shaanxi',
  甘肃: 'Gansu',
  青海: 'Qinghai',
  宁夏: 'Ningxia',
  新疆: 'Xinjiang',
  台湾: 'Taiwan',
  香港: 'Hong Kong',
  澳门: 'Macao',
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
let codes: Map<string, string> | undefined

/** The two-letter code of a country by its Chinese name; undefined for an unknown one. */
export function countryCodeOf(chineseName: string): string | undefined {
  codes ??= listCountries()
  return codes.get(chineseName)
}

function listCountries(): Map<string, string> {
  const names = new Intl.DisplayNames('zh-Hans', { type: 'region', fallback: 'none' })
  const pairs = [...letters].flatMap((first) => [...letters].map((second) => first + second))
  return new Map(
    pairs.flatMap((code): [string, string][] => {
      const name = names.of(code)
      return name ? [[name, code]] : []
    }),
  )
}
