/** The number of names, of NAMES_COUNTED, that have each word. Made by `npm run bench -- resolution-words`. */
export const WORD_CLASSES: readonly (readonly [count: number, words: string])[] = [
  [2048, `ventures`],
  [1448, `capital`],
  [1024, `technologies`],
  [724, `group partners systems`],
  [512, `media solutions`],
  [362, `fund health labs networks software technology the venture`],
  [256, `energy medical network pharmaceuticals therapeutics`],
  [181, `communications digital global holdings international management mobile`],
  [128, `ai angels data investment investments of services vc`],
  [
    91,
    `and biosciences blue games healthcare innovation interactive new power rentals security tech
vacation wireless`,
  ],
  [
    64,
    `advanced analytics angel business by china development e entertainment equity financial growth
holding impact industries internet life one pharma research science sciences semiconductor
social solar studios`,
  ],
  [
    45,
    `a american associates bank bio bioscience biotech care center cloud consulting design
diagnostics education first for foundation green i in innovations it lab next on online robotics
seed silicon sports university `,
  ],
  [
    32,
    `accelerator access advisors alliance america app applied asset biomedical biosystems black
bridge city club commerce community devices direct dynamics electric engineering enterprises
exchange family finance formerly genomics imaging information institute instruments insurance
integrated intelligence invest investors laboratories learning logic marketing my national net
north open point products real red space street studio surgical telecom to united us usa valley
virtual vision `,
  ],
  [
    23,
    `active asia automation bay beyond big biologics california cell central circle clean clear
collective college com computer creative credit daily de discovery edge electronics enterprise
food foods founders future general good hill india insight ip israel local m market materials me
motion music n office pacific performance planet private project radio river secure smart star
startup trust tv video wave web west x york`,
  ],
  [
    16,
    `agency air all alpha apps atlas b beach biopharma biotechnologies biotechnology box brands
broadband c catalyst channel co code computing connect consultants control corporate cross d
double earth east electronic engine environmental estate europe express factory fintech florida
foundry g game gaming genetics genius go h high home horizon house id industrial innovative j
japan kingston liberty light liquid magic markets matrix medicine metrics micro mobility
molecular nation news now ocean oncology park path payment payments peak people pharmaceutical
platform plus precision prime publishing q r renewable resources retail rock school scientific
second service sky spark spring square start storage strategic system t team third time travel
true uk up urban v vascular visual voice water wind`,
  ],
  [
    11,
    `ad adaptive advantage advertising alex art at atlantic audio australia beacon beauty beijing
biopharmaceuticals biotherapeutics book boston brain brand cambridge campus carbon card carolina
catapult centers coast coffee communication companies company compass concepts consumer controls
core corporation creek critical crm culture cyber deal deep demand dental domain drive dynamic
easy engines eye f farm fashion five flow forum free fuel full funding funds fusion
grand graphics great hero hive homes hosting hub human image inc incubator industry info
informatics insights integration intelligent investor io iq iron is island just k key knowledge
l la launch leap level lighting lightspeed line link live living loop machine md mercury
microsystems mind mission modern money motors mountain myrtle nordic o orange oxford partner
perfect personal phoenix photonics pictures plantation play post press pro processing pulse
quantum quest reach reality rent response revolution road rocket room scale search sense
shenzhen sigma silver simple solution sound source south southern spectrum spine st standard
surgery texas three total trade trading tree universe vital works your`,
  ],
  [
    8,
    `academy act ads advisory aerospace affinity africa agile apollo aurora avenue battery be bell
best beta better bloom books bright call canada change click climate clinical colorado
commercial construction content cornerstone council crowd cube defense designs desk diabetes
diagnostic dot eagle eat echo eden edison element eleven epic evolution expert fast fiber focus
force four fox front ge genesis get giant gold golden grid ground groupe guardian guide harvest
heart hi identity ignite infinity initiative karma laboratory little logistics london
manufacturing martin material med michael microelectronics nest nexus nippon no northern
northwest nova oak off optics paragon pay pinnacle pixel productions public pure radius rental
rf ridge risk s safe safety sales sequoia shanghai shift signal sleep sport startups state
sterling store story summit super supply support telecommunications telephone terra test
therapies think ticket times touch tower track two union universal value van velocity vertical
via view village way we wellness white wolf work y`,
  ],
  [
    7,
    `advent agent alchemy allied alternative anchor applications ascent assets automotive bear ben
bill biomed block cable car cardinal career centre chicago choice clarity class collaborative
color columbia common connection cool curious dash dc depot division draper dream eclipse
emerald emerge factor firefly fitness fka forest forward fresh galaxy gas gate golf google
harbor hawaii hospital host hot hq inside insider johnson king lake language lead learn lee
lucid mail managed maven memory minds monitoring move nano nimble nine northeast p pegasus
pipeline pocket prism professional property rally rapid raven realty royal sage scout seismic
shape shield shop shopping sierra small soft softbank sony southwest spinal spot stage stellar
strategies sustainable technical that tokyo u unity vertex western with you`,
  ],
  [
    6,
    `about ace acumen advance al allegro alloy alta anywhere apex api arbor arc arkansas arts aspen
austin aviation blaze blockchain bold boom broadcast broadcasting buy cancer cap cedar century
cogent cognitive complete computers connected coral county creations crescendo current database
deals delivery delta deutsche dfj diamond distribution do doctor document dx dynamo
entrepreneurs era fair fidelity field fifth fluid fortress founder france freedom friends
gateway generation greenlight guides happy hard healthy hello hr idea ideas inform instant
interest investing jackson james jobs john jonathan junction lean loyalty lucky machines makers
map marathon mark match max meta metal motor multimedia ninja noble ntt olive opportunities
optical or organic origin orion orthopaedics pages party pc pharmacy phone pivotal plan plug
polaris portal practice premier prometheus quality ramp ready rebel records recovery redpoint
reliance remedy rev rewards right rio robert root round sand savvy screen sensors seven sgr side
simon singh sk smith speed sprout squared stack steel storm stream sugar sun swan sway switch
synergy talent television therapy tier top torch training vermont vista w warner washington
wealth women zebra`,
  ],
  [
    5,
    `able acacia acquisition adam aegis ag agility alibaba alpine amicus amplify andrew ant ape
apparel application arch arena arizona ark array as aspect associated atomic auction audience
aura auto avalon away axel axial axiom bain balance band banking base beam behavioral berlin
billing bit bits bolt booking boulder branch break broad bros brown buddy cadence can canopy
canyon capella carrier cash castle ce cellular charge check cherry clinic command components
contact context convergent copilot cradle creation crystal da daniel davis day dba decision
department dev dg dialog diego disney dna domino dr draft eco eight elevation ember emergent
emerging endeavor england equities et european ev extreme fisher forge fortune frame freight
frog frontline garden gen gene george gestion giga globe gravity grow guild healthtech hit
hudson hydra icon ideal index indigo infinite innova inspire integrity investimentos jump
kapital knight kong kumar land last latin launchpad law layer league legal legend leo location
long luca magazine magma magnolia main maine maps marine maverick medica merchant messenger
miami million mobi mobius mode momentum monkey monster mortgage mvp nanotechnologies newton
nimbus ohio omni optimal orbit page paper paradigm paris partnership pathfinder patient pear
physicians pi pine place pt punch re redwood relay renaissance report republic resolve resource
ribbon ripple rose rubicon runner rx ryan salesforce san seamless seattle secret securities
seeds sensor sequence set shared shore singapore six soma specialty sphere stars step stitch
stock strong student swift symphony talk tango tap tek telegraph tempo ten therapeutic thrive
thumb tiny tissue today tools tpg transfer translation trellis trends tribe trinity turbine
ubiquity vantage viking vine virgin visible wedding well what where who working xl zero`,
  ],
  [
    4,
    `abacus abc abs accel accelerated acme acquisitions action acton adams adventure ae age airborne
aircraft alexander ali alley altair altitude alumni am ambient amit analysis analytical angeles
apartment apple aqua archetype arctic are area argo argus aria asahi aspire association assured
aster athena atlanta authority automobile aware awesome axis bamboo banyan based benchmark
berkeley bid bioventures blackstone blade blog blu bluepoint blueprint board body bond booth
bravo brick bridges brighter brilliant british broadway building bump bureau bus buzz cactus
cafe camp canaan candy canvas cape capitol capture cardiac cardiovascular carson cathay charles
chase chat chef chemical chemicals chip cities citizen clearview clever clip cm coda coding
cognition compliance compute connecticut connections connectivity consolidated continuity
continuum contour conversion cooling cover craig crown crypto currency customer david degree
dell dermatology desert device dial district documents door down dragonfly driven drug duck
early eastern effective efficiency electron elements elevate elite embark empower enable encore
endurance entrepreneur eos equipment essence ethos euclid event everywhere evo excel executive
experience extend fab falcon far felix female fetch filter fish fit flash flex flint fly fm
focal fractal franklin fuels fulcrum fun gaia gamma gear geek genome geo glass greater
greenfield groove grove gs gt guys half hall hands hanwha hardware helix heroic heron hey
hollywood holtzbrinck hospice hunt hype ice idg illinois images imagination imagine incubate
infrastructure ing ink innovate insurtech integral intellect interconnect intermedia interstate
intrinsic investissement iris irl jan jason javelin jean jones joseph joy jumpstart jungle
justin kairos keen keep keiretsu keystone kids kinetic kingdom kitchen know lakes lambda lasso
latam leaf legacy lifesciences lift lightwave list lithium locksmith logical lotus louisiana
lucent lux luxury madison magnet make managers mangrove massachusetts math maya medsystems
medtech merck meridian message metals metrix michigan milestone milk mindset mitsubishi mojo
moore morgan mosaic motorola mr mu mx naked name nautilus nebraska nerd nick northstar oasys op
operations ophthalmic ops options orbital orca oregon origami orthopedics out oxygen oyster pa
pando pangea parallel participations parts passion pathology penguin penny perkins peter phase
physician pie pier pilot ping pipe playground plum polymers pop powered powerhouse prairie
praxis predictive prep presidio presto priority process progress progressive proof propel
properties prospect protein proteus proxy publications purple quebec ra race radical radiology
realtime recycling register relativity remote renal reputation resolute results rethink revel
rhythm richmond ring rise riverside rivet robot rochester roundtable route row ru run salt
samsung sandbox save score scratch sea sensing sesame shah share sharp sherpas shin siemens
sight signature silk silverback single sistemas skip smarter society solid special speech spice
springs squad stem stephane stuart style surf sword tag take tandem tank tec tel telekom testing
tetra thinking tiger titan together towers trader transit transition transportation traverse
trend tri tutor twenty underground unicorn unique unlimited upfront upstart urgent user utility
valor valve vast vault vct verse vi vibes virginia visionary vitamin viva volta von vr vue wall
wasatch watson wavemaker wide wild william wire womens wonder wpp yard youth zinc`,
  ],
  [
    3,
    `abb absolute academic accelerate accept accion accord achieve acorn acre activant activate
adventures aero agtech ahead aleph alert aligned allegiance allen alt alter alto amadeus amazon
amber amp anchorage animal anthem apartments aragon aramco archer ardent ares argyle armory
arrow arsenal arthur artisan ascend ascension assembly assistant athletic atlantis atom atrium
august auriga avalanche avant az azure ba baby backup bag baidu baker bancorp bancshares
bandwidth bar baseline basis bazaar bdc bee behind being belle belly bench benson berhad
bertelsmann bespoke beverage bgv bharat bi biofuels birch blink blocks blossom blueberry blume
boards bone bonfire bonsai boost boots bosch bounce boundary boundless bradford brasil brook
brothers bubble build bulldog bundle burda burst butterfly byte cake cal calm calypso campfire
capita capricorn carlson carrot cars cascade case catch catherine catheter cava cbs centennial
challenge chance charleston charter chen chi circuits circular cirrus cisco citic citrix clayton
clothing cmc coastal coating coatue collection collins comcast comet companisto composites
compound concert conduit confluence constellation convergence corner cosmic country cove
coverage cowboy cox craft crescent crossbeam crossing crossover cure cv cycle cypress cyrus dada
dale dealer decisions decor deeptech defence delaware delphi density dentsu designer deutschland
di diligent dimension dogs dojo domains dominion dragon dreamers dress drip ds du duke dutch
earlybird eaton ebay economic edp edwards elevator emergency empire en enrico envision envoy
epoch ericsson escapes essential everest evergreen everyday everything evident evolv exo experts
exponential fabric fantasy farms fathom federated fertility fi fidelis file film firm flare
flatiron fleet flexible flight float flock flora flux flywheel fonds ford form formula fort
forte fortify fortuna foundations fountain fresenius friend from ftx function fundamental
fusionx fx gain garg gates gauss gazelle gecko gemini genesys genetic genting georgia georgian
germany glide glow glue goal goat golive goodrich goods gp grab graham grain gray grocery
grunderfonds gsv guidance gumi gupta hampton hand harmonic harris harvard hat haven heat helios
helium helm helpful hemisphere henry here heritage hewlett highland highway hillman hitachi
holland hong horse how huddle huge hughes hummingbird hyper hyperion iag ii illuminate imperial
impossible incentive independent indonesia infinium informed ingenium ingram innoventures insite
intact integra intel intent interface intersect interventional intouch intuitive invision ion
ireland isis italian ivan jack jafco jam jasper jb jd jeans jerusalem jet jiangsu johns joint
journey juice juniper jupiter kakao kansas kapow kauffman kaya kentucky kickstart kid kinetics
kings kiosk kiss kit kite kiva kiwi kleiner koala kona korea label laser lateral lattice leaders
led lenovo less levo lightning like lilly lime links lion locker loft logo look loom louis love
lucidity luggage lumi lunar mack mad magellan mammoth manager manifest manifold marble marc mars
marshall mass massive matt matters mdc measure mena meru mesa mesh meteor method metric mexico
mi microsoft mid middle midstream mighty milano mile miles mills mindworks minerva mining mint
mirage miramar mithril mitsui ml modulus mom moment momo moms montage month moose morningside
mortar motive moxie multi muse mustard mutual natural navitas needle neon neos networked
neurosciences newport newzulu nextgen nica night nile noah nokia noom not notice notion novo
novus nrg nu nucleus obvious ocular offers oliver onsite ontario operator optimum optronics opus
orbis orchid organics origen orleans osage otto our outdoor overture ozone packaging packard
packet pair paladin palm parade parc parents parity part particle patch patchwork pathogen
patriot patterns pax pearl pennsylvania pepper perception perceptive pet pets pharos
philadelphia philip philips physics pico pillar pioneers pirate pitango pivot planning plastic
plastics plate platinum plex plink pm pool portfolio pos positive pr preferred pretty print
printing pritzker production propeller prosper protocol proven providence provision pump pursuit
quad quadrant qualcomm quick quote quotient rabbit racing rad radar radiant radix rain rainbow
rainmaker rakuten random rant raptor razor reaktor reasoning recruit recruiting reef regent
regional relationship relevance reliant renewables resonate restaurant retention reuters reveal
revenue reverb reverse revision rfid richard riya roads rockwell rogers rogue rosen ross rouge
rover royalty rtp ruby ruckus saban sai saic saif salient sam samba sanofi sap sapphire saudi
savings sbi sc scheduling scope scribe sdic season seb sebastien section see select
semiconductors send senior sensory sente sentinel sequel serena serious server seventure sg
shadow sharma shell shepherd sherpa shoes si sidecar sift signals simply sirius site sixty skin
slate slingshot slipstream smash sms snap socratic sol solve sonar sophia spare sparklabs
spartan specialists spire springboard spry stamp standards steamboat stephan stone strategy
streamline strike strive sumitomo sunlight sunstone surface sweden swing symantec syndicate
synthetic ta table tailored taiwan takeda tal target targeted taste tau taxi taylor
telecommunication telefonica telematics tell tencent text thiel this thomas thompson threshold
tidal tinker tioga tomorrow tonic touchstone tours town toxicology toy toyota toys trac tracking
transmedia transmit transtech traveler trax treasure treasury tremor trendy triad triangle
trident tronics trusted turing tyco tyler ubs ultra umass unbound unified unify unlock unwired
vehicles ventura verde verge verification verisign verizon vibe vice vinci vitals vivo voip
volkswagen voltage volvo vortex vox voyage warp was wasabi waste wear weaver wellington whisper
wildfire wilmington windpower windsor wine wipro wise wistron wong wood wright www xange xchange
years yellow yield yourself z zen zeno zephyr zeta zing zipline zone zoom`,
  ],
];

/** Different names in which the words were counted. */
export const NAMES_COUNTED = 43507;
