"""The countries of the world as texts name them: their names, their peoples, and where they lie.

Rules of this module: a table and nothing else, all in small plain letters. It only ever excuses: a
source that speaks of the Lagos police knows of Nigeria, and one that speaks of Finns knows Finland.
It need not be complete; a place that is missing here is merely looked up by its letters.
"""

from typing import NamedTuple


class People(NamedTuple):
    """A country or state: how it is called, how those are called who live there, and its places."""

    names: tuple[str, ...]
    demonyms: tuple[str, ...]
    places: tuple[str, ...]


def _row(row: str) -> People:
    names, demonyms, places = (
        tuple(name.strip() for name in part.split(",") if name.strip()) for part in row.split("|")
    )
    return People(names, demonyms, places)


# Names | peoples and adjectives | cities, regions and rivers that say which country is meant.
# A row that goes on in the next line is indented there.
COUNTRIES = tuple(
    _row(row)
    for row in """
united states, america, usa, us, u s, u s a | american, americans | new york, nyc, washington,
  chicago, los angeles, boston, philadelphia, detroit, houston, dallas, miami, atlanta, seattle,
  san francisco, las vegas, nashville, hollywood, manhattan, brooklyn, broadway, congress, silicon
  valley, wall street
united kingdom, britain, uk, u k, great britain | british, briton, britons | london, england,
  english, scotland, scottish, wales, welsh, northern ireland, edinburgh, glasgow, manchester,
  birmingham, liverpool, leeds, bristol, oxford, cambridge, cardiff, belfast, sheffield,
  yorkshire, bbc
england | english, englishman, englishmen, englishwoman |
  london, manchester, birmingham, liverpool, leeds, bristol, oxford, cambridge,
  sheffield, newcastle, nottingham, brighton, southampton, plymouth, norwich, yorkshire,
  cornwall, devon, kent, essex, sussex, surrey, lancashire, lincolnshire, uk, british, britain
scotland | scottish, scots, scot, scotsman, scotsmen, scotswoman |
  edinburgh, glasgow, aberdeen, dundee, inverness, highlands
wales | welsh, welshman, welshmen, welshwoman | cardiff, swansea, aberystwyth, snowdonia
ireland | irish, irishman, irishmen, irishwoman | dublin, galway, limerick, belfast, ulster
france | french, frenchman, frenchmen, frenchwoman |
  paris, lyon, marseille, bordeaux, toulouse, nantes,
  strasbourg, lille, normandy, brittany, provence, versailles, sorbonne
germany | german, germans | berlin, munich, hamburg, frankfurt, cologne, stuttgart, dresden,
  leipzig, bavaria, saxony, bundestag, deutsche, dusseldorf, nuremberg
austria | austrian, austrians | vienna, salzburg, graz, linz, innsbruck, tyrol
switzerland | swiss | zurich, geneva, basel, bern, lausanne, lucerne, cern
italy | italian, italians | rome, milan, naples, turin, venice, florence, bologna, genoa, palermo,
  sicily, tuscany, lombardy, sardinia, verona, pisa
spain | spanish, spaniard, spaniards | madrid, barcelona, valencia, seville, bilbao, malaga,
  granada, catalonia, andalusia, basque, castile
portugal | portuguese | lisbon, porto, coimbra, braga, algarve, madeira, azores
netherlands, holland | dutch, dutchman, dutchmen | amsterdam, rotterdam, hague, utrecht,
  eindhoven, leiden, delft, groningen
belgium | belgian, belgians, flemish, walloon | brussels, antwerp, ghent, bruges, liege, flanders,
  wallonia
luxembourg | luxembourgish, luxembourger |
denmark | danish, dane, danes | copenhagen, aarhus, odense, jutland
sweden | swedish, swede, swedes | stockholm, gothenburg, malmo, uppsala, lund
norway | norwegian, norwegians | oslo, bergen, trondheim, stavanger, tromso
finland | finnish, finn, finns | helsinki, tampere, turku, espoo, oulu
iceland | icelandic, icelander, icelanders | reykjavik
greece | greek, greeks, hellenic | athens, thessaloniki, crete, sparta
turkey, turkiye | turkish, turk, turks | istanbul, ankara, izmir, anatolia, constantinople
cyprus | cypriot, cypriots | nicosia, limassol
poland | polish, pole, poles | warsaw, krakow, cracow, gdansk, wroclaw, lodz, poznan
czechia, czech republic | czech, czechs | prague, brno, ostrava, bohemia, moravia
slovakia | slovak, slovaks, slovakian | bratislava, kosice
hungary | hungarian, hungarians, magyar | budapest, debrecen, szeged
romania | romanian, romanians | bucharest, cluj, timisoara, transylvania
bulgaria | bulgarian, bulgarians | sofia, plovdiv, varna
serbia | serbian, serb, serbs | belgrade, novi sad
croatia | croatian, croat, croats | zagreb, dubrovnik, dalmatia
slovenia | slovenian, slovene, slovenes | ljubljana, maribor
bosnia, bosnia and herzegovina | bosnian, bosnians | sarajevo, mostar
albania | albanian, albanians | tirana
north macedonia, macedonia | macedonian, macedonians | skopje
ukraine | ukrainian, ukrainians | kyiv, kiev, kharkiv, odesa, odessa, lviv, crimea, donbas
russia, russian federation | russian, russians | moscow, petersburg, leningrad, kremlin, siberia,
  vladivostok, novosibirsk, kazan, volga, muscovite
soviet union, ussr | soviet, soviets | moscow, leningrad, kremlin
belarus | belarusian, belarusians | minsk
estonia | estonian, estonians | tallinn, tartu
latvia | latvian, latvians | riga
lithuania | lithuanian, lithuanians | vilnius, kaunas
georgia | georgian, georgians | tbilisi, atlanta, savannah, augusta
armenia | armenian, armenians | yerevan
azerbaijan | azerbaijani, azeri | baku
kazakhstan | kazakh, kazakhs | almaty, astana, nur sultan
uzbekistan | uzbek, uzbeks | tashkent, samarkand
tajikistan | tajik, tajiks | dushanbe
turkmenistan | turkmen | ashgabat
kyrgyzstan | kyrgyz | bishkek
mongolia | mongolian, mongolians, mongol, mongols | ulaanbaatar
china, prc | chinese | beijing, peking, shanghai, shenzhen, guangzhou, canton, wuhan, chengdu,
  tianjin, nanjing, hong kong, tibet, xinjiang, hunan, gansu, sichuan, yunnan, manchuria
taiwan | taiwanese | taipei, kaohsiung
japan | japanese | tokyo, osaka, kyoto, yokohama, nagoya, hiroshima, nagasaki, sapporo, fukuoka,
  kobe, hokkaido, okinawa
south korea, korea | korean, koreans | seoul, busan, incheon, daegu
north korea | korean, koreans | pyongyang
india | indian, indians | mumbai, bombay, delhi, kolkata, calcutta, chennai, madras, bangalore,
  bengaluru, hyderabad, pune, jaipur, kerala, punjab, gujarat, rajasthan, haryana, bengal, goa,
  tamil nadu, ganges, agra
pakistan | pakistani, pakistanis | karachi, lahore, islamabad, peshawar, punjab, sindh, rawalpindi
bangladesh | bangladeshi, bangladeshis, bengali | dhaka, chittagong, bengal
sri lanka, ceylon | sri lankan, sinhalese | colombo, kandy
nepal | nepalese, nepali | kathmandu, everest
bhutan | bhutanese | thimphu
afghanistan | afghan, afghans | kabul, kandahar, taliban
iran, persia | iranian, iranians, persian, persians | tehran, isfahan, shiraz
iraq | iraqi, iraqis | baghdad, mosul, basra, mesopotamia
syria | syrian, syrians | damascus, aleppo
lebanon | lebanese | beirut
israel | israeli, israelis | jerusalem, tel aviv, haifa, knesset
palestine | palestinian, palestinians | gaza, ramallah, west bank
jordan | jordanian, jordanians | amman, petra
saudi arabia | saudi, saudis, saudi arabian, arabian | riyadh, jeddah, mecca, medina
united arab emirates, uae, emirates | emirati, emiratis | dubai, abu dhabi
qatar | qatari, qataris | doha
kuwait | kuwaiti, kuwaitis |
oman | omani, omanis | muscat
yemen | yemeni, yemenis | sanaa, aden
thailand, siam | thai, thais, siamese | bangkok, phuket, chiang mai
vietnam, viet nam | vietnamese | hanoi, saigon, ho chi minh, da nang
cambodia | cambodian, cambodians, khmer | phnom penh, angkor
laos | lao, laotian, laotians | vientiane
myanmar, burma | burmese | yangon, rangoon, mandalay, naypyidaw
malaysia | malaysian, malaysians, malay | kuala lumpur, penang, sarawak, sabah, malacca
singapore | singaporean, singaporeans |
indonesia | indonesian, indonesians | jakarta, bali, java, sumatra, surabaya, borneo
philippines | filipino, filipinos, philippine, filipina | manila, cebu, davao, luzon, mindanao
australia | australian, australians, aussie | sydney, melbourne, brisbane, perth, adelaide,
  canberra, hobart, darwin, queensland, tasmania, new south wales
new zealand | kiwi, new zealander, new zealanders | auckland, wellington, christchurch, dunedin
papua new guinea | papuan | port moresby
fiji | fijian, fijians | suva
canada | canadian, canadians | toronto, montreal, vancouver, ottawa, calgary, edmonton, winnipeg,
  quebec, ontario, alberta, british columbia, manitoba, saskatchewan, nova scotia, halifax,
  newfoundland
mexico | mexican, mexicans | guadalajara, monterrey, tijuana, cancun, oaxaca, yucatan
cuba | cuban, cubans | havana
jamaica | jamaican, jamaicans | kingston
haiti | haitian, haitians | port au prince
dominican republic | dominican, dominicans | santo domingo
puerto rico | puerto rican, puerto ricans | san juan
trinidad, trinidad and tobago | trinidadian |
barbados | barbadian, bajan | bridgetown
guatemala | guatemalan, guatemalans |
honduras | honduran, hondurans | tegucigalpa
el salvador | salvadoran, salvadorans | san salvador
nicaragua | nicaraguan, nicaraguans | managua
costa rica | costa rican, costa ricans | san jose
panama | panamanian, panamanians |
colombia | colombian, colombians | bogota, medellin, cartagena
venezuela | venezuelan, venezuelans | caracas, maracaibo
ecuador | ecuadorian, ecuadorians | quito, guayaquil, galapagos
peru | peruvian, peruvians | lima, cusco, cuzco, arequipa, inca
bolivia | bolivian, bolivians | la paz, santa cruz, sucre
chile | chilean, chileans | santiago, valparaiso, concepcion, patagonia
argentina | argentine, argentines, argentinian, argentinean | buenos aires, cordoba,
  mendoza, patagonia
uruguay | uruguayan, uruguayans | montevideo
paraguay | paraguayan, paraguayans | asuncion
brazil | brazilian, brazilians | rio, rio de janeiro, sao paulo, brasilia, recife,
  bahia, amazon
egypt | egyptian, egyptians | cairo, alexandria, giza, luxor, nile, suez
morocco | moroccan, moroccans | casablanca, rabat, marrakesh, marrakech, fez, tangier
algeria | algerian, algerians | algiers, oran
tunisia | tunisian, tunisians | tunis, carthage
libya | libyan, libyans | tripoli, benghazi, misrata
sudan | sudanese | khartoum, darfur
ethiopia | ethiopian, ethiopians, abyssinia | addis ababa
eritrea | eritrean, eritreans | asmara
somalia | somali, somalis | mogadishu
kenya | kenyan, kenyans | nairobi, mombasa, kisumu
uganda | ugandan, ugandans | kampala, entebbe
tanzania | tanzanian, tanzanians | dar es salaam, dodoma, zanzibar, serengeti, kilimanjaro
rwanda | rwandan, rwandans | kigali
congo, drc | congolese | kinshasa, brazzaville, goma
angola | angolan, angolans | luanda
zambia | zambian, zambians | lusaka
zimbabwe, rhodesia | zimbabwean, zimbabweans | harare, bulawayo
botswana | motswana, batswana | gaborone
namibia | namibian, namibians | windhoek
mozambique | mozambican, mozambicans | maputo
madagascar | malagasy | antananarivo
south africa | south african, south africans | johannesburg, cape town, durban, pretoria, soweto,
  cape, transvaal
nigeria | nigerian, nigerians | lagos, abuja, kano, ibadan, enugu, biafra
ghana | ghanaian, ghanaians | accra, kumasi
senegal | senegalese | dakar
mali | malian, malians | bamako, timbuktu
ivory coast, cote d ivoire | ivorian, ivorians | abidjan
cameroon | cameroonian, cameroonians | yaounde, douala
liberia | liberian, liberians | monrovia
sierra leone | sierra leonean | freetown
monaco | monegasque | monte carlo
eswatini, swaziland | swazi |
malta | maltese | valletta
""".strip().replace("\n  ", " ").splitlines()
)  # fmt: skip

# States and provinces, and the cities that stand for them.
STATES = tuple(
    _row(row)
    for row in """
california | californian, californians | los angeles, san francisco, san diego, sacramento,
  oakland, hollywood, san jose, silicon valley, malibu, stanford, berkeley
texas | texan, texans | houston, dallas, austin, san antonio, el paso, fort worth
florida | floridian, floridians | miami, orlando, tampa, jacksonville, tallahassee
new york | new yorker, new yorkers | nyc, ny, manhattan, brooklyn, queens, bronx, buffalo, albany,
  broadway, wall street, harlem
illinois | | chicago
massachusetts | | boston, cambridge, harvard, mit, salem
pennsylvania | | philadelphia, pittsburgh
washington | | seattle, tacoma, spokane, d c, dc
michigan | | detroit, lansing, ann arbor
ohio | | cleveland, cincinnati, toledo
georgia | georgian | atlanta, savannah, augusta
tennessee | | nashville, memphis, knoxville
louisiana | | new orleans, baton rouge
nevada | | las vegas, reno
arizona | | phoenix, tucson
colorado | | denver, boulder
oregon | | portland, eugene
minnesota | | minneapolis, st paul, saint paul
missouri | | st louis, saint louis, kansas city
wisconsin | | milwaukee
maryland | | baltimore, annapolis
virginia | | richmond, norfolk
hawaii | hawaiian, hawaiians | honolulu, oahu, maui
alaska | alaskan, alaskans | anchorage, juneau
utah | | salt lake city
indiana | | indianapolis
ontario | | toronto, ottawa
quebec | quebecois | montreal
british columbia | | vancouver
alberta | | calgary, edmonton
nova scotia | | halifax
queensland | | brisbane, cairns, gold coast
new south wales | | sydney
victoria | | melbourne
bavaria | bavarian, bavarians | munich, nuremberg
catalonia | catalan, catalans | barcelona
tuscany | tuscan | florence, pisa, siena
sicily | sicilian, sicilians | palermo, catania
brittany | breton, bretons | rennes, brest
flanders | flemish | antwerp, ghent, bruges
""".strip().replace("\n  ", " ").splitlines()
)  # fmt: skip

# Cities by what stands in them only.
CITIES = tuple(
    _row(row)
    for row in """
paris | parisian,parisians | bastille,louvre,eiffel,sorbonne,montmartre,notre dame,elysee
london | londoner,londoners | westminster,thames,heathrow,whitehall,downing street,wembley
rome | | vatican,colosseum,tiber
berlin | berliner,berliners | reichstag,brandenburg gate,kreuzberg
moscow | muscovite,muscovites | kremlin,bolshoi
washington | | white house,capitol,pentagon,d c,dc,smithsonian
los angeles | | hollywood,lax,ucla,dodgers,lakers
""".strip().splitlines()
)  # fmt: skip
# Places that are called otherwise today.
_RENAMED = (
    "kyiv kiev", "mumbai bombay", "beijing peking", "kolkata calcutta", "chennai madras",
    "istanbul constantinople", "yangon rangoon", "odesa odessa", "kharkiv kharkov", "lviv lvov",
    "guangzhou canton", "bengaluru bangalore", "gdansk danzig", "wroclaw breslau",
    "petersburg leningrad petrograd", "volgograd stalingrad", "oslo christiania", "tokyo edo",
    "cologne koln", "munich munchen", "vienna wien", "warsaw warszawa", "prague praha",
    "lisbon lisboa", "geneva geneve", "florence firenze", "venice venezia", "milan milano",
    "turin torino", "naples napoli neapolitan", "rome roma", "copenhagen kobenhavn",
    "gothenburg goteborg", "nuremberg nurnberg", "hague haag", "brussels bruxelles brussel",
    "antwerp antwerpen", "athens athina", "moscow moskva", "seville sevilla", "saragossa zaragoza",
)  # fmt: skip

# Of no single country.
_WIDER = frozenset(
    """african africans asian asians european europeans latin roman romans scandinavian arab arabs
    slavic nordic baltic balkan caribbean catholic christian jewish muslim protestant orthodox
    buddhist hindu islamic western eastern""".split()
)
CONTINENTS = frozenset("africa asia europe americas eurasia scandinavia".split())
CONTINENT_NAMES = CONTINENTS | {
    f"{side} {land}"
    for side in "north south east west central latin northern southern eastern western".split()
    for land in "america africa asia europe".split()
} - {"south africa"}
NATIONALITIES = frozenset(
    name for people in COUNTRIES for name in people.demonyms if " " not in name and name[-1] != "s"
) | frozenset(("swiss",))
"""Of one country each, and told of persons."""
DEMONYMS = (
    frozenset(
        name for people in (*COUNTRIES, *STATES) for name in people.demonyms if " " not in name
    )
    | _WIDER
)
BY_NAME: dict[str, tuple[People, ...]] = {}
"""The countries and states that a name may mean."""
for _people in (*COUNTRIES, *STATES, *CITIES):
    for _name in _people.names:
        BY_NAME[_name] = (*BY_NAME.get(_name, ()), _people)
KIN: dict[str, frozenset[str]] = {}
"""For each word that is the name of a country or a people: the other words for the same."""
for _people in (*COUNTRIES, *STATES):
    _all = frozenset((*_people.names, *_people.demonyms))
    for _name in _all:
        KIN[_name] = KIN.get(_name, frozenset()) | _all - {_name}
for _group in _RENAMED:
    for _name in _group.split():
        KIN[_name] = KIN.get(_name, frozenset()) | frozenset(_group.split())
