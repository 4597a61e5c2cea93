// The cities that the console's map names: the most important of the gazetteer, in a file that its build takes in.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { metresBetween } from '@busbar/contract'
import { readChineseCities } from './chinese-cities.ts'
import type { City } from './city.ts'
import { readWorldCities } from './world-cities.ts'

const file = new URL('../../../../../console/src/entities/place/cities.gen.txt', import.meta.url)

const citiesMax = 1_000
/** Of a city that has a larger one this near, the map tells nothing: mostly it is a part of that one. */
const apartMetresMin = 40_000
/** Centres of a city in two tables are mostly nearer than this; neighbouring cities are not. */
const sameCityMetres = 15_000
/** Parts of cities that have more people than the city itself in the table, and one without a known English name there. */
const unnamed = new Set(['Quezon City', 'Camayenne', 'Al Mawşil al Jadīdah', 'Budta', 'Nowrangapur', 'Teni'])
/** Where the table has a district of the city, or its neighbour, under a larger number. */
const englishNames: Readonly<Record<string, string>> = {
  湛江市: 'Zhanjiang',
  常州市: 'Changzhou',
  三亚市: 'Sanya',
  徐州市: 'Xuzhou',
  荆州市: 'Jingzhou',
  台州市: 'Taizhou',
  攀枝花市: 'Panzhihua',
  连云港市: 'Lianyungang',
  濮阳市: 'Puyang',
  文山壮族苗族自治州: 'Wenshan',
  伊犁哈萨克自治州: 'Ili',
  七台河市: 'Qitaihe',
}
const tenthOfKilometre = 100

/** Chinese names of the largest cities outside of China, which no table at hand has. */
const chineseNames: Readonly<Record<string, string>> = Object.fromEntries(
  `Istanbul 伊斯坦布尔,Buenos Aires 布宜诺斯艾利斯,Mumbai 孟买,Mexico City 墨西哥城,Karachi 卡拉奇,Delhi 德里,Moscow 莫斯科,Dhaka 达卡,Seoul 首尔,São Paulo 圣保罗,Lagos 拉各斯,Jakarta 雅加达,Tokyo 东京,New York City 纽约,Kinshasa 金沙萨,Lima 利马,Cairo 开罗,Bogotá 波哥大,London 伦敦,Baghdad 巴格达,Tehran 德黑兰,Lahore 拉合尔,Rio de Janeiro 里约热内卢,Bangkok 曼谷,Bengaluru 班加罗尔,Saint Petersburg 圣彼得堡,Santiago 圣地亚哥,Kolkata 加尔各答,Sydney 悉尼,Yangon 仰光,Chennai 金奈,Melbourne 墨尔本,Riyadh 利雅得,Los Angeles 洛杉矶,Chittagong 吉大港,Alexandria 亚历山大,Ahmedabad 艾哈迈达巴德,Busan 釜山,Abidjan 阿比让,Kano 卡诺,Hyderabad 海得拉巴,Ibadan 伊巴丹,Singapore 新加坡,Ankara 安卡拉,Ho Chi Minh City 胡志明市,Cape Town 开普敦,Berlin 柏林,Madrid 马德里,Pyongyang 平壤,Casablanca 卡萨布兰卡,Durban 德班,Kabul 喀布尔,Caracas 加拉加斯,Dubai 迪拜,Pune 浦那,Sūrat 苏拉特,Jeddah 吉达,Kanpur 坎普尔,Kyiv 基辅,Luanda 罗安达,Addis Ababa 亚的斯亚贝巴,Nairobi 内罗毕,Chicago 芝加哥,Salvador 萨尔瓦多,Jaipur 斋浦尔,Dar es Salaam 达累斯萨拉姆,Toronto 多伦多,Basrah 巴士拉,Osaka 大阪,Mogadishu 摩加迪沙,Daegu 大邱,Faisalabad 费萨拉巴德,İzmir 伊兹密尔,Dakar 达喀尔,Lucknow 勒克瑙,Fortaleza 福塔莱萨,Cali 卡利,Surabaya 泗水,Belo Horizonte 贝洛奥里藏特,Rome 罗马,Mashhad 马什哈德,Houston 休斯敦,Nagpur 那格浦尔,Maracaibo 马拉开波,Brasília 巴西利亚,Santo Domingo 圣多明各,Nagoya 名古屋,Brisbane 布里斯班,Havana 哈瓦那,Paris 巴黎,Johannesburg 约翰内斯堡,Almaty 阿拉木图,Medellín 麦德林,Tashkent 塔什干,Algiers 阿尔及尔,Khartoum 喀土穆,Accra 阿克拉,Guayaquil 瓜亚基尔,Sanaa 萨那,Beirut 贝鲁特,Perth 珀斯,Sapporo 札幌,Bucharest 布加勒斯特,Conakry 科纳克里,Medan 棉兰,Rawalpindi 拉瓦尔品第,Minsk 明斯克,Budapest 布达佩斯,Mosul 摩苏尔,Hamburg 汉堡,Curitiba 库里蒂巴,Warsaw 华沙,Bandung 万隆,Vienna 维也纳,Rabat 拉巴特,Barcelona 巴塞罗那,Aleppo 阿勒颇,Montréal 蒙特利尔,Manila 马尼拉,Patna 巴特那,Manaus 马瑙斯,Phnom Penh 金边,Damascus 大马士革,Philadelphia 费城,Phoenix 菲尼克斯,Isfahan 伊斯法罕,Harare 哈拉雷,Stockholm 斯德哥尔摩,Guadalajara 瓜达拉哈拉,Asunción 亚松森,Recife 累西腓,Daejeon 大田,San Antonio 圣安东尼奥,Kumasi 库马西,Kuala Lumpur 吉隆坡,Kathmandu 加德满都,Multan 木尔坦,Puebla 普埃布拉,Hanoi 河内,Kharkiv 哈尔科夫,Córdoba 科尔多瓦,Tabriz 大不里士,Novosibirsk 新西伯利亚,Gwangju 光州,Bursa 布尔萨,Belém 贝伦,Quito 基多,San Diego 圣迭戈,Fukuoka 福冈,Antananarivo 塔那那利佛,Porto Alegre 阿雷格里港,Kampala 坎帕拉,Yekaterinburg 叶卡捷琳堡,Douala 杜阿拉,Mecca 麦加,Makassar 望加锡,Tijuana 蒂华纳,Dallas 达拉斯,Medina 麦地那,Bamako 巴马科,Semarang 三宝垄,Nizhniy Novgorod 下诺夫哥罗德,Amman 安曼,Belgrade 贝尔格莱德,Montevideo 蒙得维的亚,Lusaka 卢萨卡,Munich 慕尼黑,Shiraz 设拉子,Milan 米兰,Port-au-Prince 太子港,Adelaide 阿德莱德,Prague 布拉格,Sofia 索非亚,Copenhagen 哥本哈根,Helsinki 赫尔辛基,Oslo 奥斯陆,Dublin 都柏林,Lisbon 里斯本,Athens 雅典,Brussels 布鲁塞尔,Amsterdam 阿姆斯特丹,Zürich 苏黎世,Frankfurt am Main 法兰克福,Köln 科隆,Stuttgart 斯图加特,Naples 那不勒斯,Turin 都灵,Marseille 马赛,Lyon 里昂,Birmingham 伯明翰,Manchester 曼彻斯特,Glasgow 格拉斯哥,Riga 里加,Vilnius 维尔纽斯,Tallinn 塔林,Kazan 喀山,Omsk 鄂木斯克,Samara 萨马拉,Chelyabinsk 车里雅宾斯克,Krasnoyarsk 克拉斯诺亚尔斯克,Vladivostok 符拉迪沃斯托克,Khabarovsk 哈巴罗夫斯克,Irkutsk 伊尔库茨克,Ulan Bator 乌兰巴托,Astana 阿斯塔纳,Bishkek 比什凯克,Dushanbe 杜尚别,Ashgabat 阿什哈巴德,Baku 巴库,Tbilisi 第比利斯,Yerevan 埃里温,Jerusalem 耶路撒冷,Kuwait City 科威特城,Doha 多哈,Abu Dhabi 阿布扎比,Muscat 马斯喀特,Tripoli 的黎波里,Tunis 突尼斯,Vientiane 万象,Da Nang 岘港,Haiphong 海防,Cebu City 宿务,Davao 达沃,Islamabad 伊斯兰堡,Colombo 科伦坡,San Francisco 旧金山,San Jose 圣何塞,Seattle 西雅图,Denver 丹佛,Detroit 底特律,Boston 波士顿,Washington 华盛顿,Atlanta 亚特兰大,Miami 迈阿密,Vancouver 温哥华,Calgary 卡尔加里,Ottawa 渥太华,Monterrey 蒙特雷,Auckland 奥克兰,Wellington 惠灵顿,Hiroshima 广岛,Sendai 仙台,Kyoto 京都,Kitakyushu 北九州,Ulsan 蔚山,Pretoria 比勒陀利亚,Palembang 巨港,Yaoundé 雅温得,Ouagadougou 瓦加杜古,Maputo 马普托,Odessa 敖德萨,Donetsk 顿涅茨克,Volgograd 伏尔加格勒,Perm 彼尔姆,Ufa 乌法,Rostov-na-Donu 顿河畔罗斯托夫,Guatemala City 危地马拉城,Managua 马那瓜,Nay Pyi Taw 内比都,Mandalay 曼德勒,Peshawar 白沙瓦,Austin 奥斯汀,Monrovia 蒙罗维亚,Kingston 金斯敦,Agra 阿格拉`
    .split(',')
    .map((line) => [line.replace(/ \S+$/, ''), line.slice(line.lastIndexOf(' ') + 1)]),
)

/** The English names of the provinces of China. */
const provinces: Readonly<Record<string, string>> = {
  北京市: 'Beijing',
  天津市: 'Tianjin',
  上海市: 'Shanghai',
  重庆市: 'Chongqing',
  河北省: 'Hebei',
  山西省: 'Shanxi',
  内蒙古自治区: 'Inner Mongolia',
  辽宁省: 'Liaoning',
  吉林省: 'Jilin',
  黑龙江省: 'Heilongjiang',
  江苏省: 'Jiangsu',
  浙江省: 'Zhejiang',
  安徽省: 'Anhui',
  福建省: 'Fujian',
  江西省: 'Jiangxi',
  山东省: 'Shandong',
  河南省: 'Henan',
  湖北省: 'Hubei',
  湖南省: 'Hunan',
  广东省: 'Guangdong',
  广西壮族自治区: 'Guangxi',
  海南省: 'Hainan',
  四川省: 'Sichuan',
  贵州省: 'Guizhou',
  云南省: 'Yunnan',
  西藏自治区: 'Tibet',
  陕西省: 'Shaanxi',
  甘肃省: 'Gansu',
  青海省: 'Qinghai',
  宁夏回族自治区: 'Ningxia',
  新疆维吾尔自治区: 'Xinjiang',
  台湾省: 'Taiwan',
  香港特别行政区: 'Hong Kong',
  澳门特别行政区: 'Macao',
}

interface Label extends Pick<City, 'lat' | 'lng' | 'population'> {
  readonly en: string
  readonly cn: string
  /** Two letters of ISO 3166-1, or for China `province in Chinese/in English`. */
  readonly region: string
}

/** How a map writes it: 深圳 for 深圳市, while 延边朝鲜族自治州 stays. */
const shortName = (name: string) => (name === '台湾省' ? '台北' : name.replace(/(特别行政区|市)$/, ''))

function chineseLabels(centres: readonly City[], world: readonly City[]): Label[] {
  return centres.flatMap((centre) => {
    const near = world.filter(
      (city) => city.country === centre.country && metresBetween(city, centre) < apartMetresMin,
    )
    const isSame = (city: City) => metresBetween(city, centre) < sameCityMetres
    const [largest] = near.sort(
      (a, b) => Number(isSame(b)) - Number(isSame(a)) || b.population - a.population,
    )
    if (!largest) return []
    const province = centre.province || centre.name
    const { lat, lng } = centre
    const region = `${province}/${provinces[province] ?? ''}`
    return [
      {
        lat,
        lng,
        population: largest.population,
        en: englishNames[centre.name] ?? largest.name,
        cn: shortName(centre.name),
        region,
      },
    ]
  })
}

/** The file: longitude, latitude, English name, Chinese name and region in a line, the most important first. */
async function writeLabels(): Promise<string> {
  const world = await readWorldCities()
  const chinese = chineseLabels(await readChineseCities(), world)
  const others = world
    .filter(({ country, name }) => !['CN', 'HK', 'MO', 'TW'].includes(country) && !unnamed.has(name))
    .map(
      (city): Label => ({
        ...city,
        en: city.name,
        cn: chineseNames[city.name] ?? city.name,
        region: city.country,
      }),
    )
  const kept: Label[] = []
  for (const label of [...chinese, ...others].sort((a, b) => b.population - a.population)) {
    if (kept.some((other) => metresBetween(other, label) < apartMetresMin)) continue
    kept.push(label)
    if (kept.length === citiesMax) break
  }
  const round = (degrees: number) => Math.round(degrees * tenthOfKilometre) / tenthOfKilometre
  return kept
    .map(({ lng, lat, en, cn, region }) => `${[round(lng), round(lat), en, cn, region].join('\t')}\n`)
    .join('')
}

const text = await writeLabels()
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.log(`Not up to date: ${fileURLToPath(file)}. Run npm run generate.`)
  process.exitCode = 1
}
