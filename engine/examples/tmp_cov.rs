use toponym_engine::{*, coverage::*};
fn main(){ let e=Engine::open(std::fs::read(std::env::args().nth(1).unwrap()).unwrap()).unwrap(); let t=std::time::Instant::now(); let c=e.coverage(); println!("{:?} {}", t.elapsed(), c.len());
 use Continent::*;
 for k in [Europe,NorthAmerica,SouthAmerica,Asia,Africa,Oceania]{ let v:Vec<_>=c.iter().filter(|x|x.continent==k).collect(); println!("{k:?} {} {:.3} {:.3}",v.len(),weighted(v.iter().copied(),|x|x.of_places()),weighted(v.iter().copied(),|x|x.of_sites()));
  let mut v=v; v.sort_by(|a,b|b.of_places().total_cmp(&a.of_places()).then(b.places.cmp(&a.places))); for x in v.iter().take(60){print!("{} {}/{} p{:.2} s{:.2}; ",x.name,x.places,x.sites,x.of_places(),x.of_sites());} println!(); }
 println!("{} {}",weighted(&c,|x|x.of_places()),weighted(&c,|x|x.of_sites())); }
