/**
 * Personal names by culture: given names in ordinary use, and family names put together from a
 * beginning and an end, so that no living person is meant. Some carry accents.
 */
export interface Culture {
  readonly given: readonly string[];
  readonly beginnings: readonly string[];
  readonly ends: readonly string[];
}

const culture = (given: string, beginnings: string, ends: string): Culture =>
  Object.freeze({
    given: given.split(' '),
    beginnings: beginnings.split(' '),
    // An underscore stands for the space inside a name of several words.
    ends: ends.split(' ').map((end) => end.replace('_', ' ')),
  });

export const cultures: Readonly<Record<string, Culture>> = Object.freeze({
  anglo: culture(
    'Alice Ben Clara Daniel Eleanor Frank Grace Henry Imogen Jack Kate Leo Martha Nora Oliver Paula Quentin Ruth Sam Tessa Victor Wendy',
    'Ash Bram Cold Dun Elder Fen Gorse Hazel Iron Kest Lark Marl Nettle Oat Pebble Quarry Rook Thistle Under Wren',
    'brook combe dale ditch fallow garth gate holme lock mere moor raith shaw stead thorpe wick worth yarrow',
  ),
  german: culture(
    'Anja Bernd Carla Dieter Eva Florian Greta Hannes Ida Jürgen Katrin Lukas Maike Nils Ottilie Petra Rainer Sabine Till Ute',
    'Ahorn Birken Dachs Erlen Fichten Garten Hasel Kiefern Linden Mohn Nebel Quellen Rüben Schilf Tannen Ulmen Wacholder',
    'acker bühl egger fels grund hain holt kamp leitner moser rieder specht steg wieser zeller',
  ),
  french: culture(
    'Adèle Baptiste Camille Damien Élise Florent Gaëlle Hugo Inès Julien Léa Mathilde Noël Odile Pascal Rémi Sylvie Théo Violette Zoé',
    'Beau Chante Clair Fauve Grand Haut Long Mal Noir Petit Rouge Sauve Val Vert',
    'bruyère champ coudre fontenelle gravin lande marêt perrin pré rivelle roncin sault tilleul vanier',
  ),
  spanish: culture(
    'Alba Bruno Carmen Diego Elena Felipe Gloria Héctor Inés Javier Lucía Mateo Nuria Óscar Pilar Raúl Sofía Tomás Valeria Ximena',
    'Alba Campo Cerro Fuente Lagar Monte Oliva Pena Quintan Roble Sierra Torre Valle Viña',
    'bera cedo dosa grande lada mayor nares queda rial riva sanda tierra vilar zuelo',
  ),
  portuguese: culture(
    'Afonso Beatriz Caio Davi Eduarda Fábio Giovana Heitor Isadora João Larissa Murilo Natália Otávio Renata Sérgio Thaís Vinícius',
    'Alvo Bar Carv Fer Gam Lour Mend Nog Olm Pass Quei Riba Salg Tav',
    'alhão arinho eirinha eda edo ença iga inhal osa oura uães uçal',
  ),
  italian: culture(
    'Alessia Bruno Chiara Dario Elisa Fabio Giulia Ivo Lorenzo Marta Niccolò Ornella Paolo Rosa Silvio Teresa Ugo Viola',
    'Aqua Bel Campo Casta Fior Lungo Mal Monte Pietra Ponte Salva Terra Val Vento',
    'bosco chiari dori ferri gnoli lucca mare nelli palma rovini santi tellini vardi zoni',
  ),
  dutch: culture(
    'Anouk Bram Cees Daan Els Femke Gijs Hanneke Ilse Joost Lotte Maarten Nienke Pieter Roos Sander Tineke Wouter',
    'Achter Berken Dijk Eiken Groen Heide Klaver Linde Meer Noorder Olmen Polder Riet Veen Wilgen Zand',
    'berghe boer dreef graaf hof huis kade kroon laan maat rade stra veld wijk zicht',
  ),
  nordic: culture(
    'Astrid Björn Cecilie Dag Elin Freja Gunnar Håkan Ingrid Jørgen Karin Lars Maja Niels Øyvind Pernille Rune Sigrid Tove Åsa',
    'Alm Dal Ek Fjell Gran Hav Is Kvarn Ljung Måne Nord Orre Rönn Skog Sten Tall Varg Å',
    'bakke dahlin feldt gård hamre hjort kvist lund myhr näs ryd sjö strand torp vang vik',
  ),
  finnish: culture(
    'Aino Eero Hanna Ilkka Jussi Kaisa Lauri Mikko Noora Olli Päivi Riku Sanna Timo Väinö Yrjö',
    'Haapa Hiekka Honka Joki Kallio Koivu Kuusi Leppä Mänty Niitty Pihlaja Ranta Saari Suvi Tammi',
    'aho kivi korpi la linna mäki nen niemi oja perä salo vaara vesi',
  ),
  slavic: culture(
    'Agnieszka Bartosz Dorota Filip Hanna Iga Jakub Kamila Łukasz Milena Nikola Oskar Petra Radek Světlana Tomáš Urszula Vojtěch Zofia Żaneta',
    'Brzoz Czarn Dąbr Głaz Jawor Klon Lip Mlyn Olsz Pol Rzecz Sosn Topol Wierzb Zelen',
    'anek arek ewicz icka ikowa iński ovec owiak owska ula yński',
  ),
  romanian: culture(
    'Adina Bogdan Cătălin Daria Emil Florina Ion Luminița Mihai Oana Radu Simona Ștefan Violeta',
    'Alun Brad Codr Fag Izvor Lunc Munt Plop Rât Salc Ulm Vad',
    'așcu ărescu eanu escu icel oiu osu ulea uțiu',
  ),
  baltic: culture(
    'Aivar Birutė Eglė Gintaras Ieva Jānis Kadri Liina Marek Ott Rasa Siim Tiina Urmas Vytautė Zane',
    'Berz Egl Kalm Kask Lepp Männi Ozol Pajum Rohel Saar Tamm Vald',
    'aitis auskas eets ik iņš järv mets onis oja pea unas',
  ),
  greek: culture(
    'Alexis Danae Eleni Fotis Ioanna Katerina Leonidas Myrto Nikos Olga Petros Sofia Thanos Vasiliki',
    'Alon Ampel Elat Kastan Kip Limn Marmar Oliv Petr Thalass Vount Xyl',
    'akis atos elis iadis idou inos opoulos oudis oulis',
  ),
  turkish: culture(
    'Ahmet Başak Cem Derya Elif Fırat Gül Hakan İpek Kerem Leyla Murat Nil Onur Pınar Selin Tolga Zeynep',
    'Ak Çam Dağ Gök Kara Kaya Orman Sarı Taş Yel Yıldız Zeytin',
    'alan bağ ca dere göl han kent lıer pınar soy tepe yurt',
  ),
  hungarian: culture(
    'Anikó Bence Csilla Dénes Erzsi Ferenc Gizella Imre Judit Kálmán Lilla Márton Orsolya Zsolt',
    'Almás Berek Diós Erdő Füzes Hárs Kert Liget Mező Nyír Patak Sáros',
    'aljai falvi halmi házi hegyi kői mezei réti szegi völgyi',
  ),
  hebrew: culture(
    'Adi Boaz Dana Eitan Gal Hila Idan Liat Moran Noam Ofer Rina Shira Tal Uri Yael Ziv',
    'Allon Bar Dekel Erez Gefen Karmel Nahal Oren Rimon Shaked Tamar Zayit',
    'el eri han it man mor oni rav shani tzur vali yam',
  ),
  arabic: culture(
    'Amal Bilal Dina Faris Ghada Hadi Iman Jamil Karim Layla Mona Nabil Omar Rania Salma Tariq Yara Zain',
    'Bahr Dawh Fanar Ghad Hadiq Jabal Kahf Marj Nakhl Qamr Rimal Sahra Wadi Zahr',
    'ani awi een eldin far iyan mari ouni rani sawi wan zadi',
  ),
  indic: culture(
    'Aditi Bhavesh Chitra Deepak Esha Farhan Gauri Harsh Ishaan Jaya Kiran Leela Manoj Neha Omkar Pooja Rohan Sunita Tara Vikram',
    'Amba Bhadra Chand Deva Gira Hima Kama Lalit Mani Nila Pushpa Rama Sura Tara Vana',
    'charya dhan garh jiwala kanti lekar nandi palli raju shekhar tiya vani warde',
  ),
  chinese: culture(
    'Anwei Bohai Chenxi Dalian Enlin Fangyu Guiying Haoran Jiawen Kexin Lihua Meiqi Ningbo Qiaoyu Ruolan Siyuan Tingting Weimin Xiaolu Yutong Zihan',
    'Bei Chun Dou Fengl Guan Huai Jing Kang Lian Mou Nian Qiu Ruan Shui Tong Wan Xia Yin Zhuo',
    'guo hai hu lin men ning shan shi tang ting yuan zhou',
  ),
  japanese: culture(
    'Aiko Daichi Emi Fumiko Goro Haruto Itsuki Jun Kaede Mei Naoki Oto Riko Sora Takumi Umi Yuna',
    'Aka Asa Fuji Hana Hoshi Iwa Kawa Kuro Mizu Mori Nami Oka Sugi Taka Tsuki Yama Yuki',
    'be gaya hara hashi kuma mine naka no saki sawa se tani tori uchi zaki',
  ),
  korean: culture(
    'Areum Byungho Chaewon Daeun Eunji Gyuri Hyunwoo Jihoon Kyungmin Minseo Nari Sangwoo Seoyeon Taeyang Yejin Yuna',
    'Bae Cha Do Eom Geum Hwa Jeo Ki Ma Nam Ok Pyo Ra Seol Tak Yeo',
    'dam ga hwan in jang mun nam seon',
  ),
  malay: culture(
    'Adi Bunga Citra Dewi Eko Farah Gita Hafiz Indah Joko Kartika Lestari Made Nurul Putri Rizal Siti Wayan',
    'Arum Bayu Cahya Dharma Gunung Jati Kelana Mega Nusa Purna Sari Tirta Wijaya',
    'di kusuma lana mulya nata ningrat putra rini santo tama wan yanti',
  ),
  vietnamese: culture(
    'An Bình Cường Dung Đạt Giang Hạnh Khánh Lan Minh Ngọc Phúc Quỳnh Sơn Thảo Tuấn Vy Yến',
    'Bạch Châu Đinh Giáp Hà Khổng Lâm Mạc Nghiêm Ông Quách Tạ Ung Vi',
    '_Anh _Chi _Đông _Hải _Liên _Nam _Phong _Quang _Thanh _Xuân',
  ),
  thai: culture(
    'Anong Boon Chai Duang Kanya Lamai Mali Niran Orn Preecha Ratana Somsak Thida Wipa',
    'Bua Chang Dok Khao Lom Mek Nam Phet Rung Sai Thong Wan',
    'charoen dee kamol lert mongkol nakorn phan rat siri suk thep wattana',
  ),
  african: culture(
    'Abena Chidi Dineo Ekow Folake Gift Imani Jabari Kwame Lerato Makena Ngozi Oluchi Palesa Sipho Thandi Uche Wanjiru Zola',
    'Aba Chuk Dla Eke Fola Ka Lem Mba Nko Oba Sib Tho Um Wan Zim',
    'bela chukwu dike femi gwa koro lani moro ndile ngo shola tunde wana zulu',
  ),
});

/** A family name in the script of its country, for a small share of people. */
export const nativeNames: Readonly<
  Record<string, { readonly given: readonly string[]; readonly family: readonly string[] }>
> = Object.freeze({
  japanese: {
    given: '空斗 海音 楓子 凛太 湊也 陽葵 直樹子 咲空'.split(' '),
    family: '霧峰 月沢 星谷原 水鳥居 森瀬川 雪崎野 波岡田 岩灯'.split(' '),
  },
  chinese: {
    given: '若澜 思远 子涵 雨桐 晨曦 浩然'.split(' '),
    family: '墨 砚 霁 岚 槐 汀'.split(' '),
  },
  korean: {
    given: '아름 서연 지훈 나리 태양 민서'.split(' '),
    family: '별 솔 들 미르 가람 한뫼'.split(' '),
  },
  greek: {
    given: 'Δανάη Φώτης Ιωάννα Πέτρος Μυρτώ Θάνος'.split(' '),
    family: 'Αλωνάτος Λιμνούλης Πετρίδου Βουνέλης Ξυλάκης Θαλασσινού'.split(' '),
  },
  slavic: {
    given: 'Олена Тарас Милена Богдан Зоя Радко'.split(' '),
    family: 'Яворенко Тополяк Річковська Липинець Зеленяк Млинар'.split(' '),
  },
  hebrew: {
    given: 'עדי בועז דנה איתן נועם שירה'.split(' '),
    family: 'אלונמור גפנאל רימוני נחלצור דקלים'.split(' '),
  },
  arabic: {
    given: 'أمل بلال دينا فارس ليلى نبيل'.split(' '),
    family: 'الفناري الرمالي وادياني القمراوي النخلين'.split(' '),
  },
});
